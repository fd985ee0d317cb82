module.exports = { globalSetup: "./mockddb.start.js", globalTeardown: "./mockddb.stop.js" };
