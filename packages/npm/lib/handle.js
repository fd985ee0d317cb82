"use strict";

/* A handle of libmockddb: one request at a time uses it, the others wait in their order. */

const fs = require("node:fs");
const path = require("node:path");
const { findInPackage } = require("./program.js");

const LIBRARY = "libmockddb.so";
const ADDON = "mockddb.node"; // in the library's folder

/* Those for another C library do not load. Some systems with musl also load what is for glibc, so that is the last. */
const LIBCS = [undefined, "musl", "gnu"];

/** The paths of libraries, of which the first one counts that loads: this one, else MOCKDDB_LIBRARY, else those in the
 * packages for this platform. */
function findLibraries(given) {
  const [named, where] = given === undefined ? [process.env.MOCKDDB_LIBRARY, "MOCKDDB_LIBRARY"] : [given, "the option library"];
  if (named) {
    if (!fs.existsSync(named)) throw new Error(`mockddb: ${where}: there is no file ${named}`);
    return [path.resolve(named)];
  }
  const own = LIBCS.map((libc) => findInPackage(`lib/${LIBRARY}`, libc)).filter(Boolean);
  if (own.length) return own;
  const remedy = "give its path as the option library or in MOCKDDB_LIBRARY, or use start()";
  throw new Error(`mockddb: this installation has no ${LIBRARY} for ${process.platform}-${process.arch}: ${remedy}`);
}

/** The addon beside the first library with one that loads, and that library. */
function loadAddon(libraries) {
  const problems = [];
  for (const library of libraries) {
    const file = path.join(path.dirname(library), ADDON);
    try {
      return [require(file), library];
    } catch (problem) {
      problems.push(`${file} cannot be loaded: ${problem.message.split("\n")[0]}`);
    }
  }
  throw new Error(`mockddb: ${problems.join("; ")}`);
}

const readReply = ([status, body, type, flags, delayMs, dateSkewMs, explanation, lines]) => {
  return { reply: { status, body, type, flags, delayMs, dateSkewMs, explanation }, lines };
};

/** A server in this process. `log` receives the lines that a server writes to standard error. */
exports.Handle = class Handle {
  #addon;
  #handle;
  #log;
  #waiting = [];
  #runs = false;
  #end = null; // of closing

  constructor(library, words, log) {
    const [addon, file] = loadAddon(findLibraries(library));
    this.#addon = addon;
    this.#log = log;
    try {
      this.#handle = this.#addon.open(file, words);
    } catch (problem) {
      throw new Error(`mockddb: ${problem.message}`);
    }
  }

  /** Runs a request of addon.c. Returns the promise of its reply, and a function that takes it back while it waits. With
   * `atOnce` it runs on this thread, if no other one does. */
  send(request, atOnce = false) {
    if (this.#end) return { reply: Promise.reject(new Error("mockddb: the embedded server is stopped")), cancel: () => {} };
    const entry = { request };
    const reply = new Promise((resolve, reject) => Object.assign(entry, { resolve, reject }));
    if (atOnce && !this.#runs && !this.#waiting.length) this.#finish(entry, () => this.#addon.run(this.#handle, request));
    else {
      this.#waiting.push(entry);
      this.#next();
    }
    return { reply, cancel: () => (this.#waiting = this.#waiting.filter((other) => other !== entry)) };
  }

  #finish({ resolve, reject }, result) {
    try {
      const { reply, lines } = readReply(result());
      for (const line of lines.split("\n")) if (line) this.#log?.(line);
      resolve(reply);
    } catch (problem) {
      reject(new Error(`mockddb: ${problem.message}`));
    }
  }

  #next() {
    if (this.#runs) return;
    const entry = this.#waiting.shift();
    if (!entry) {
      this.#end?.resolve();
      return;
    }
    this.#runs = true;
    this.#addon.start(this.#handle, entry.request, (problem, result) => {
      this.#runs = false;
      this.#finish(entry, () => {
        if (problem) throw problem;
        return result;
      });
      this.#next();
    });
  }

  /** Closes the handle after the requests that wait. Later ones are refused. */
  async close() {
    if (this.#end) return this.#end.promise;
    this.#end = {};
    this.#end.promise = new Promise((resolve) => (this.#end.resolve = resolve)).then(() => this.#addon.close(this.#handle));
    this.#next();
    return this.#end.promise;
  }
};
