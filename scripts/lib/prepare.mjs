import { build, buildService, isBuilt } from './build.mjs';
import { arePackagesInstalled, installPackages } from './packages.mjs';
import { withLock } from './lock.mjs';
import { Failure } from './project.mjs';

const MIN_NODE_VERSION = [20, 19];

/**
 * Installs packages and builds the project, if they are not up to date.
 * @param options `needs`: what the program uses of the build
 */
export async function prepare({ needs = 'everything' } = {}) {
  checkNode();
  const isDone = () => arePackagesInstalled() && (needs === 'nothing' || isBuilt());
  if (isDone()) return;
  // Another `npm start` or `npm test` may have prepared the project when the lock is free.
  await withLock(async () => {
    if (!arePackagesInstalled()) await installPackages();
    if (!isDone()) await (needs === 'service' ? buildService() : build());
  });
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MIN_NODE_VERSION[0] || (major === MIN_NODE_VERSION[0] && minor >= MIN_NODE_VERSION[1])) return;
  throw new Failure(
    `Muster needs Node.js ${MIN_NODE_VERSION.join('.')} or newer, and this is ${process.versions.node}.`,
  );
}
