const { statSync } = require('node:fs');
const { createRequire } = require('node:module');
const { isAbsolute } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** Libraries that keep for good what the first who uses them says: nestjs-pino its level and where its lines go. */
const NOT_SHARED = ['nestjs-pino'];

/** What files have been transformed and compiled to, for as long as they are not written again. */
const transformed = new Map();
const compiled = new Map();

/** Loads libraries as Node does, once for all test files of a process, and the rest as Jest does: anew for each. */
class SharedLibraries extends Runtime {
  constructor(...given) {
    super(...given);
    const { executor, transformCache } = this;
    const transform = transformCache.transform.bind(transformCache);
    transformCache.transform = (file, options) => {
      const { mtimeMs } = statSync(file);
      const earlier = transformed.get(file);
      if (earlier?.mtimeMs === mtimeMs) {
        // For those who map places in stacks.
        if (earlier.map) transformCache.sourceMaps.set(file, earlier.map);
        return earlier.code;
      }
      const code = transform(file, options);
      transformed.set(file, { mtimeMs, code, map: transformCache.sourceMaps.get(file) });
      return code;
    };
    executor.compile = (code, filename) => {
      if (this._environment.getVmContext() === null) return null;
      const earlier = compiled.get(filename);
      if (earlier?.code === code) return earlier.run;
      const run = compileFunction(code, executor.injectedModuleParameters, { filename });
      compiled.set(filename, { code, run });
      return run;
    };
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
