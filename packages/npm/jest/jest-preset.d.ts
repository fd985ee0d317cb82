/** The preset, to be spread into a configuration that has another preset. */
declare const preset: {
  globalSetup: string;
  globalTeardown: string;
  setupFiles: string[];
  setupFilesAfterEnv: string[];
};
export = preset;
