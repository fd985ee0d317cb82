"use strict";

const path = require("node:path");
const fs = require("node:fs");
const { Handle } = require("./handle.js");
const { findInPackage } = require("./program.js");
const { OPTION_NAMES, checkOptions, wordsOf } = require("./server.js");
const { removeFixture, writeFixture } = require("./tables.js");
const { requestHandler, signer } = require("./transport.js");
const { makeWorld } = require("./world.js");

const URL = "http://embedded.mockddb.invalid"; // no client gets so far as to look it up
const ONLY_SERVERS = ["port", "host", "failOn", "worlds", "folder"];
const KNOWN = [...OPTION_NAMES.filter((name) => !ONLY_SERVERS.includes(name)), "library", "log"];

/* A fixture of this package by its name, else the path. */
const ownFixture = (fixture) => (fs.existsSync(fixture) ? fixture : (ownFolder(fixture) ?? fixture));

function ownFolder(name) {
  const manifest = findInPackage("package.json");
  const folder = manifest && path.join(path.dirname(manifest), "share/mockddb/fixtures", name);
  return folder && fs.existsSync(path.join(folder, "tables")) ? folder : undefined;
}

function refuse() {
  throw new Error("mockddb: other programs and clients without clientConfig cannot use an embedded server: use start()");
}

function worldIn(handle, name, inMemory) {
  const ask = async (world, method, verb, body) => {
    const request = [world, verb, body === undefined ? undefined : JSON.stringify(body), method];
    const { status, body: text } = await handle.send(request).reply;
    return { status, text: text.toString() };
  };
  const more = { requestHandler: requestHandler(handle, name, inMemory), signer };
  const world = makeWorld({ url: URL, ask, worldOf: (other) => worldIn(handle, other, inMemory), more }, name);
  return Object.defineProperties(world, { environment: { get: refuse }, enter: { value: refuse } });
}

/** Starts a server in this process; see index.d.ts. */
exports.embedded = async (options = {}) => {
  checkOptions(options, KNOWN, "embedded()");
  const { library, log, ...rest } = options;
  const fixtures = rest.fixtures && [rest.fixtures].flat().map(ownFixture);
  const fixture = rest.tables && writeFixture(rest.tables);
  const readable = (line) => (fixture ? line.replaceAll(`${fixture}/`, "the option tables: ") : line);
  const words = [...wordsOf({ ...rest, fixtures }), ...(fixture ? ["--fixtures", fixture] : [])];
  const inMemory = !words.some((word) => /^--(db|data-dir)(=|$)/.test(word));
  let handle;
  try {
    handle = new Handle(library, words, log && ((line) => log(readable(line))));
    const server = worldIn(handle, "default", inMemory);
    if (fixture) await server.reset(); // the server reads its fixtures once more, for later worlds
    return Object.assign(server, { pid: process.pid, world: (name) => worldIn(handle, name, inMemory), stop: () => handle.close() });
  } catch (problem) {
    await handle?.close();
    problem.message = readable(problem.message);
    throw problem;
  } finally {
    if (fixture) removeFixture(fixture);
  }
};
