const { createRequire } = require('node:module');
const { isAbsolute } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** Libraries that keep for good what the first who uses them says: nestjs-pino its level and where its lines go. */
const NOT_SHARED = ['nestjs-pino'];

/** Loads libraries as Node does, once for all test files of a process, and the rest as Jest does: anew for each. */
class SharedLibraries extends Runtime {
  constructor(...given) {
    super(...given);
    const { executor } = this;
    executor.compile = (source, filename) =>
      this._environment.getVmContext() === null
        ? null
        : compileFunction(source, executor.injectedModuleParameters, { filename });
  }

  requireModule(from, moduleName, options, isRequireActual) {
    const isLibrary = moduleName && !options && !moduleName.startsWith('.') && !isAbsolute(moduleName);
    // Whoever wants modules of his own wants libraries of his own.
    return isLibrary && !NOT_SHARED.includes(moduleName) && !this.registries.isIsolated()
      ? createRequire(from)(moduleName)
      : super.requireModule(from, moduleName, options, isRequireActual);
  }
}

module.exports = SharedLibraries;
