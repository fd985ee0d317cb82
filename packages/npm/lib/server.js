"use strict";

const { spawn } = require("node:child_process");
const { createInterface } = require("node:readline");
const { findProgram } = require("./program.js");
const { removeFixture, writeFixture } = require("./tables.js");
const { worldAt } = require("./world.js");

const READY = /^mockddb listening on (\S+)/;
const LAST_LINES = 5; // of standard error, that an error quotes

const repeated = (option) => (values) => [values].flat().flatMap((value) => [option, String(value)]);

/* What start() takes, and which options of the program it becomes. */
const OPTIONS = {
  port: repeated("--port"),
  host: repeated("--host"),
  region: repeated("--region"),
  fixtures: repeated("--fixtures"),
  params: (values) => Object.entries(values).flatMap(([name, value]) => ["--param", `${name}=${value}`]),
  clock: repeated("--clock"),
  faults: repeated("--faults"),
  failOn: (rules) => ["--fail-on", [rules].flat().join(",")],
  worlds: (how) => (how === "one" ? [] : ["--worlds", how]),
  args: (list) => [list].flat().map(String),
  tables: () => [],
  folder: () => [],
};

/** Refuses an option that is not known, by name. */
exports.checkOptions = (options, known, of) => {
  const wrong = Object.keys(options).find((name) => !known.includes(name));
  if (wrong) throw new Error(`mockddb: ${of} has no option "${wrong}"; it has ${known.join(", ")}`);
};

exports.OPTION_NAMES = Object.keys(OPTIONS);

/** Options as words of the program's command line. */
exports.wordsOf = (options) =>
  Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => OPTIONS[name](value));

/* Runs the program. It ends with this process in any case: its standard input is a pipe that ends then. */
function launch(program, args, cwd, readable) {
  const child = spawn(program, args, { cwd, stdio: "pipe" });
  const said = []; // on standard error: all until it is ready, then the last lines
  let passing = false;
  child.stdin.on("error", () => {}); // it has ended already
  createInterface(child.stderr).on("line", (line) => {
    said.push(readable(line));
    if (!passing) return;
    console.error(said.at(-1));
    said.splice(0, said.length - LAST_LINES);
  });
  const ended = new Promise((resolve) => {
    child.once("error", (problem) => resolve(`mockddb: ${program} cannot be started: ${problem.code}`));
    child.once("close", (status, signal) => {
      const why = said.slice(-LAST_LINES).join("\n").replaceAll(/^mockddb: /gm, "") || "it wrote nothing to standard error";
      resolve(status === 0 ? "" : `mockddb: the server ended with ${status ?? signal}: ${why}`);
    });
  });
  const ready = new Promise((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => READY.test(line) && resolve(READY.exec(line)[1]));
    ended.then((why) => reject(new Error(why || `mockddb: ${program} served nothing`)));
  });
  const pass = () => {
    passing = true;
    said.forEach((line) => console.error(line));
  };
  return { child, ready, ended, pass };
}

/** Starts a server; see index.d.ts. */
exports.start = async (options = {}) => {
  exports.checkOptions(options, exports.OPTION_NAMES, "start()");
  const program = findProgram();
  const fixture = options.tables && writeFixture(options.tables);
  const words = exports.wordsOf({ port: 0, worlds: "by-access-key", ...options });
  const args = ["--until-eof", ...words, ...(fixture ? ["--fixtures", fixture] : [])];
  const readable = (line) => (fixture ? line.replaceAll(`${fixture}/`, "the option tables: ") : line);
  const { child, ready, ended, pass } = launch(program, args, options.folder, readable);
  let url;
  try {
    url = await ready;
    if (fixture) await worldAt(url, "default").reset(); // the server reads its fixtures once more, for later worlds
  } catch (problem) {
    child.stdin.end();
    throw problem;
  } finally {
    if (fixture) removeFixture(fixture);
  }
  const handles = [child, child.stdin, child.stdout, child.stderr];
  handles.forEach((handle) => handle.unref()); // this process may end before the server
  pass();
  return {
    ...worldAt(url, "default"),
    port: Number(new URL(url).port),
    pid: child.pid,
    world: (name) => worldAt(url, name),
    stop: async () => {
      handles.forEach((handle) => handle.ref());
      child.stdin.end();
      const why = await ended;
      if (why) throw new Error(why);
    },
  };
};
