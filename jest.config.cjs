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

/** A tier of tests: see CONTRIBUTING.md. */
const tier = (name, options = {}) => ({
  displayName: name,
  rootDir: __dirname,
  testMatch: [`<rootDir>/test/${name}/**/*.spec.ts`],
  // Jest loads CommonJS alone: what is published as ES modules only, and unit tests need, is transformed, too.
  transform: {
    '^.+\\.ts$': ['@swc/jest', swc],
    '/node_modules/sql-template-tag/.+\\.js$': ['@swc/jest', swc],
  },
  transformIgnorePatterns: ['/node_modules/(?!sql-template-tag/)'],
  // Source files name lazily imported modules by the name they have when built.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/test/support/fast-check-seed.ts'],
  ...options,
});

/** For tiers that need a PostgreSQL and the running service. Jest runs one set-up for all of them. */
const withService = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    tier('unit'),
    tier('api', withService),
    tier('client', withService),
    tier('system', withService),
  ],
  testTimeout: 60_000,
  // Jest's default on two cores is one worker. Tests wait for the service and the database most of the time.
  maxWorkers: 3,
};
