import { build, isBuilt } from './build.mjs';
import { arePackagesInstalled, installPackages } from './packages.mjs';
import { withLock } from './lock.mjs';
import { Failure } from './project.mjs';

const OLDEST_NODE = [20, 19];

/** Installs what package-lock.json names and builds what src holds, where that is not done already. */
export async function prepare({ isBuildNeeded = true } = {}) {
  checkNode();
  const isDone = () => arePackagesInstalled() && (!isBuildNeeded || isBuilt());
  if (isDone()) return;
  // Another `npm start` or `npm test` may be preparing now, and may be done when the lock is free.
  await withLock(async () => {
    if (!arePackagesInstalled()) await installPackages();
    if (!isDone()) await build();
  });
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new Failure(
    `Muster needs Node.js ${OLDEST_NODE.join('.')} or newer, and this is ${process.versions.node}.`,
  );
}
