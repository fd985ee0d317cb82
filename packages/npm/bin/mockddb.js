#!/usr/bin/env node
"use strict";

const { spawn } = require("node:child_process");
const { findProgram } = require("../lib/program.js");

/* A server ends with this process, even if it is killed with -9: its standard input is a pipe that ends then. Other
   commands read standard input. One-dash options are DynamoDB Local's, which do not mix with ours. */
function endsWithUs(args) {
  const serves = !args.length || args[0] === "serve" || args[0].startsWith("--");
  return serves && !args.includes("--until-eof") && !args.some((arg) => /^-[A-Za-z]/.test(arg));
}

function run(program, args) {
  const piped = endsWithUs(args);
  const child = spawn(program, piped ? [...args, "--until-eof"] : args, {
    stdio: [piped ? "pipe" : "inherit", "inherit", "inherit"],
  });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on("error", (problem) => {
    console.error(`mockddb: ${program} cannot be started: ${problem.code}`);
    process.exitCode = 1;
  });
  child.on("exit", (status, signal) => {
    if (!signal) process.exit(status);
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

try {
  run(findProgram(), process.argv.slice(2));
} catch (problem) {
  console.error(problem.message);
  process.exitCode = 1;
}
