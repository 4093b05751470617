import { runInThisContext } from 'node:vm';

/** Globals of Node.js. Each test file has its own. */
const node = runInThisContext('({ process, Error })') as {
  readonly process: NodeJS.Process;
  readonly Error: ErrorConstructor;
};

/**
 * Loads a package, or a file of this folder, outside of Jest, once for all test files that run in the same worker. Jest loads
 * them again for each file.
 * The package has the global classes of Node.js: an `Error` or a `RegExp` of a test file is no `instanceof` its own.
 */
export const requireOnce = node.process.getBuiltinModule('node:module').createRequire(__filename);

/** The class of errors that such a package creates. */
export const NodeError = node.Error;
