module.exports = () => globalThis.stopMockddb?.();
