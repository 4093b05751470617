import { build, isBuilt } from './build.mjs';
import { arePackagesInstalled, installPackages } from './packages.mjs';
import { withLock } from './lock.mjs';
import { Failure } from './project.mjs';

const OLDEST_NODE = [20, 19];

/** Installs what package-lock.json names and builds what src holds, where that is not so already. */
export async function prepare() {
  checkNode();
  if (arePackagesInstalled() && isBuilt()) return;
  // Another `npm start` or `npm test` may be at it, and may have done it by the time the lock is ours.
  await withLock(async () => {
    if (!arePackagesInstalled()) await installPackages();
    if (!isBuilt()) await build();
  });
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new Failure(
    `Muster needs Node.js ${OLDEST_NODE.join('.')} or newer, and this is ${process.versions.node}.`,
  );
}
