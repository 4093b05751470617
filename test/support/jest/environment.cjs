const { ModuleMocker } = require('jest-mock');
const { TestEnvironment } = require('jest-environment-node');

/** What Jest keeps on the global object of a test file, and would take up again for the next one. */
const OF_JEST = /^[A-Z_]+$/;

/** Where libraries gather what is said of classes. Each test file has classes of its own; they would walk over all of them. */
const OF_CLASSES = ['classValidatorMetadataStorage', 'typeormMetadataArgsStorage'];

/**
 * Test files run in the realm of the process that runs them, as the program does in its own: errors of Node are `Error`s,
 * and libraries that are loaded once serve all of its files (see `runtime.cjs`). Jest's own environment makes a realm for
 * each file, into which everything has to be loaded again: that was most of what a file cost.
 */
class SharedRealm extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.ofJest = this.global;
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.before = {
      console: globalThis.console,
      exit: process.exit,
      env: { ...process.env },
      stackTraceLimit: Error.stackTraceLimit,
    };
  }

  async setup() {
    await super.setup();
    // Jest wants a hundred, and takes them down for each of the expectations.
    Error.stackTraceLimit = 15;
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (OF_JEST.test(key.description ?? '')) delete globalThis[key];
    for (const name of OF_CLASSES) delete globalThis[name];
    const { console, exit, env, stackTraceLimit } = this.before;
    globalThis.console = console;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    Error.stackTraceLimit = stackTraceLimit;
    this.global = this.ofJest;
    await super.teardown();
  }
}
module.exports = SharedRealm;
