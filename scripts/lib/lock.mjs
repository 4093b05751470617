import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileOf } from './project.mjs';

/** In dist, which git ignores and which, unlike node_modules, nobody empties in between. */
const LOCK = 'dist/.preparing';

/** Runs the work while no other process of this clone does; waits for one that does. */
export async function withLock(work) {
  const lock = fileOf(LOCK);
  mkdirSync(fileOf('dist'), { recursive: true });
  let told = false;
  while (!take(lock)) {
    if (!told) console.error('Waiting for another "npm start" or "npm test" that is installing or building…');
    told = true;
    await delay(100);
  }
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Creates the lock with its owner's number in it, both at once, by linking a complete file to its name. */
function take(lock) {
  const mine = `${lock}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const owner = ownerOf(lock);
    if (owner !== undefined && !isAlive(owner)) breakLock(lock, owner);
    return false;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Another process may have broken it already and taken it: what is taken away is looked at before it is gone. */
function breakLock(lock, owner) {
  const aside = `${lock}.broken-by-${process.pid}`;
  try {
    renameSync(lock, aside);
    if (ownerOf(aside) !== owner) linkSync(aside, lock);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
  rmSync(aside, { force: true });
}

function ownerOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
