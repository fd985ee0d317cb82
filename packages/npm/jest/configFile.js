"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

async function load(file) {
  if (file.endsWith(".json")) return JSON.parse(fs.readFileSync(file, "utf8"));
  const { default: content } = await import(pathToFileURL(file));
  return content;
}

const called = async (value) => (typeof value === "function" ? value() : value);

/** Reads a configuration file of another preset: base, or base with an ending. It and its tables may be functions. */
exports.readConfig = async (base, preset) => {
  const files = ["", ".js", ".cjs", ".mjs", ".ts", ".json"].map((ending) => base + ending);
  const file = files.find((name) => fs.existsSync(name));
  if (!file) throw new Error(`mockddb: ${preset}: there is no ${base}.js`);
  try {
    const config = await called(await load(file));
    return { ...config, tables: await called(config.tables) };
  } catch (problem) {
    throw new Error(`mockddb: ${preset}: ${path.basename(file)} cannot be read: ${problem.message}`);
  }
};
