export default { test: { globals: true, globalSetup: "./mockddb.start.js" } };
