"use strict";

const { optionalDependencies } = require("../package.json");

/** The path of the program: MOCKDDB_BINARY, else the one in the package for this platform. */
exports.findProgram = () => {
  if (process.env.MOCKDDB_BINARY) return process.env.MOCKDDB_BINARY;
  const platform = `${process.platform}-${process.arch}`;
  const name = `@mockddb/${platform}`;
  try {
    return require.resolve(`${name}/bin/mockddb`);
  } catch {
    const remedy = optionalDependencies[name] ? `install ${name}` : "build it from source";
    throw new Error(`mockddb: no program for ${platform}: ${remedy}, or set MOCKDDB_BINARY to its path`);
  }
};

/** A file of the package for this platform, or of the one for a C library there; undefined if it is not installed. */
exports.findInPackage = (file, libc) => {
  try {
    return require.resolve(`@mockddb/${process.platform}-${process.arch}${libc ? `-${libc}` : ""}/${file}`);
  } catch {
    return undefined;
  }
};
