const swc = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

/** The seed of all random tests of this run: 1 by default, a new one with SEED=random. Workers inherit it. */
function setSeed() {
  const { SEED = '1' } = process.env;
  if (SEED !== 'random' && !/^\d{1,9}$/.test(SEED))
    throw new Error(`SEED must be "random" or a number below 10^9, not "${SEED}"`);
  if (process.env.SEED_PRINTED === undefined) {
    process.env.SEED = SEED === 'random' ? String(Math.floor(Math.random() * 1e9)) : SEED;
    process.env.SEED_PRINTED = 'true';
    if (!process.argv.includes('--listTests')) console.error(`SEED=${process.env.SEED}`);
  }
}

setSeed();

/** A tier of tests: see CONTRIBUTING.md. */
const tier = (name, { folders = [`test/${name}`], ...options } = {}) => ({
  displayName: name,
  rootDir: __dirname,
  // Jest lists and reads all files of these folders before the tests, for each tier. Others are found when they are imported.
  roots: folders.map((folder) => `<rootDir>/${folder.split('/*')[0]}`),
  testMatch: folders.map((folder) => `<rootDir>/${folder}/**/*.spec.ts`),
  // Jest loads CommonJS alone: what is published as ES modules only, and unit tests need, is transformed, too.
  transform: {
    '^.+\\.ts$': ['@swc/jest', swc],
    '/node_modules/sql-template-tag/.+\\.js$': ['@swc/jest', swc],
  },
  transformIgnorePatterns: ['/node_modules/(?!sql-template-tag/)'],
  moduleNameMapper: {
    // Source files name lazily imported modules by the name they have when built.
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@muster/(api-types|embedded-postgres)$': '<rootDir>/packages/$1/src',
  },
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  ...options,
});

/** For tiers that need a PostgreSQL and the running service. Jest runs one set-up for all of them. */
const withService = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

/** For tiers that open pages, too. */
const withBrowser = { ...withService, globalSetup: '<rootDir>/test/support/web-setup.ts' };

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    tier('unit', { folders: ['test/unit', 'web/test'] }),
    tier('api', withService),
    tier('client', withService),
    tier('web', withBrowser),
    tier('system', {
      ...withBrowser,
      folders: ['test/system', 'packages/*/test'],
      testPathIgnorePatterns: ['<rootDir>/test/system/faults/'],
    }),
    tier('faults', { ...withService, folders: ['test/system/faults'] }),
  ],
  testSequencer: '<rootDir>/test/support/sequencer.cjs',
  reporters: ['default', '<rootDir>/test/support/skipped-reporter.cjs'],
  // Requests take longer on Citus, where a statement goes from node to node.
  testTimeout: process.env.TEST_CITUS === undefined ? 60_000 : 180_000,
  // Jest's default on two cores is one worker. Many tests wait for the service, the database or a browser.
  maxWorkers: 5,
};
