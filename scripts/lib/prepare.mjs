import { build, isBuilt } from './build.mjs';
import { arePackagesInstalled, installPackages } from './packages.mjs';
import { withLock } from './lock.mjs';
import { Failure } from './project.mjs';

const MIN_NODE_VERSION = [20, 19];

/** Installs packages and builds the project, if they are not up to date. */
export async function prepare({ isBuildNeeded = true } = {}) {
  checkNode();
  const isDone = () => arePackagesInstalled() && (!isBuildNeeded || isBuilt());
  if (isDone()) return;
  // Another `npm start` or `npm test` may have prepared the project when the lock is free.
  await withLock(async () => {
    if (!arePackagesInstalled()) await installPackages();
    if (!isDone()) await build();
  });
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MIN_NODE_VERSION[0] || (major === MIN_NODE_VERSION[0] && minor >= MIN_NODE_VERSION[1])) return;
  throw new Failure(
    `Muster needs Node.js ${MIN_NODE_VERSION.join('.')} or newer, and this is ${process.versions.node}.`,
  );
}
