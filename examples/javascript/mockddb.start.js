const { spawn } = require("node:child_process");
const { createInterface } = require("node:readline");

module.exports = async () => {
  if (process.env.MOCKDDB_URL) return;
  const program = process.env.MOCKDDB ?? "mockddb";
  const server = spawn(program, ["--port", "0", "--worlds", "by-access-key"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let last = "it wrote nothing to standard error";
  createInterface(server.stderr).on("line", (line) => console.error((last = line)));
  const ended = new Promise((resolve) => {
    server.once("error", (problem) => resolve(`${program} cannot be started: ${problem.code}`));
    server.once("close", (status, signal) => resolve(status === 0 ? "" : `${program} ended with ${status ?? signal}: ${last}`));
  });
  process.env.MOCKDDB_URL = await new Promise((resolve, reject) => {
    createInterface(server.stdout).on("line", (line) => {
      if (line.startsWith("mockddb listening on ")) resolve(line.split(" ").at(-1));
    });
    ended.then((why) => reject(new Error(why || `${program} served nothing`)));
  });
  globalThis.stopMockddb = async () => {
    delete process.env.MOCKDDB_URL;
    server.kill();
    const why = await ended;
    if (why) throw new Error(why);
  };
  return globalThis.stopMockddb;
};
