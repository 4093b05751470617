const { subscribe } = require('node:diagnostics_channel');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const compileFunction = vm.compileFunction;

/** The compiled modules by file name, with their code: a transformed file may differ between tiers. */
const compiled = new Map();

/**
 * Jest loads each module again for each test file, and compiles it again. A compiled script can run in several contexts, so this
 * compiles each module once per worker: a fifth to a third of the time of unit tests, which load most. `importModuleDynamically` is
 * left out: transformed files have no `import()`, and in others Jest rejects it, because Node runs without `--experimental-vm-modules`.
 */
vm.compileFunction = (code, parameters, options) => {
  const { filename, parsingContext } = options;
  // No other file loads a test file.
  if (!parsingContext || filename.endsWith('.spec.ts')) return compileFunction(code, parameters, options);
  let module = compiled.get(filename);
  if (module?.code !== code) {
    const head = `(function (${parameters.join()}) {`;
    // On one line with the code, so that positions in stack traces are those of the file.
    const script = new vm.Script(`${head}${code}\n})`, { filename, columnOffset: -head.length });
    compiled.set(filename, (module = { code, script }));
  }
  return module.script.runInContext(parsingContext);
};

/** The running processes that test files of this worker have started. */
const running = new Set();

subscribe('child_process', ({ process: child }) => {
  running.add(child);
  child.once('exit', () => running.delete(child));
});

/**
 * Kills what a test file has started and not ended, whatever helper has started it: after a hook that exceeded its timeout, no test has the
 * process, and Jest would wait for it without end. A process of `globalSetup` was started before this file was loaded.
 */
module.exports = class extends TestEnvironment {
  testFile = { hasEnded: false };

  async setup() {
    await super.setup();
    this.global.testFile = this.testFile;
  }

  async teardown() {
    this.testFile.hasEnded = true;
    for (const child of running) child.kill('SIGKILL');
    await super.teardown();
  }
};
