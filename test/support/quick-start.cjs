const { createHash } = require('node:crypto');
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const { deserialize, serialize } = require('node:v8');
const { Script } = require('node:vm');

/**
 * Loaded before one of our programs, which tests start some hundred times: half of what a start costs is finding and
 * compiling the same files. What the first start has found and compiled is kept beside this script, for as long as the tests run. Newer
 * versions of Node can do that by themselves (NODE_COMPILE_CACHE).
 */
const file = join(__dirname, `${process.argv[1].replaceAll(/[^\w.]/g, '_')}.kept`);
/** So little that is new is not worth writing. */
const LITTLE = 20;

const kept = readKept();
/** What this process has compiled, by path. */
const scripts = new Map();
let unknown = 0;

/** What is kept does not know how to import at a later time. */
const IMPORTS_LATER = /\bimport\s*\(/;

const { _compile: compile } = Module.prototype;
Module.prototype._compile = function (source, path, ...rest) {
  if (IMPORTS_LATER.test(source)) return compile.call(this, source, path, ...rest);
  const hash = createHash('sha1').update(source).digest('latin1');
  const before = kept.code.get(path);
  const cachedData = before?.hash === hash ? before.code : undefined;
  let script;
  try {
    script = new Script(Module.wrap(source), { filename: path, cachedData });
  } catch {
    // An ES module, or a fault that Node tells better.
    return compile.call(this, source, path, ...rest);
  }
  if (cachedData === undefined || script.cachedDataRejected) unknown++;
  scripts.set(path, { hash, script });
  const load = (id) => this.require(id);
  load.resolve = (request, options) => Module._resolveFilename(request, this, false, options);
  load.main = process.mainModule;
  load.extensions = Module._extensions;
  load.cache = Module._cache;
  return Reflect.apply(script.runInThisContext(), this.exports, [
    this.exports,
    load,
    this,
    path,
    dirname(path),
  ]);
};

const { _resolveFilename: resolve } = Module;
Module._resolveFilename = function (request, parent, isMain, options) {
  if (options || isMain || !parent?.filename) return resolve.call(this, request, parent, isMain, options);
  const key = `${dirname(parent.filename)}\0${request}`;
  const known = kept.paths.get(key);
  if (known !== undefined) return known;
  const path = resolve.call(this, request, parent, isMain, options);
  kept.paths.set(key, path);
  unknown++;
  return path;
};

/** When it probably serves, and at its end: many are killed, and some end very soon. */
setTimeout(keep, 2_000).unref();
process.once('exit', keep);

function keep() {
  if (unknown < LITTLE) return;
  unknown = 0;
  for (const [path, { hash, script }] of scripts)
    kept.code.set(path, { hash, code: script.createCachedData() });
  const written = `${file}.${String(process.pid)}`;
  try {
    writeFileSync(written, serialize(kept));
    renameSync(written, file);
  } catch {
    // Another user's process, or the tests are over: nothing is kept.
  }
}

function readKept() {
  try {
    return deserialize(readFileSync(file));
  } catch {
    // Nobody has written it yet.
    return { code: new Map(), paths: new Map() };
  }
}
