import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileOf } from './project.mjs';

/** In dist, which git ignores and which, unlike node_modules, nobody empties in between. */
const LOCK = 'dist/.preparing';
/** Longer than any installation takes: what is older was left by a process whose number another one has now. */
const TOO_OLD = 15 * 60_000;

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

/** Notes a program that the lock's owner has started: should the owner be killed, it goes on working alone. */
export function shareLockWith(pid) {
  appendFileSync(fileOf(LOCK), ` ${pid}`);
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
    const holder = holderOf(lock);
    if (holder !== undefined && !isHeld(holder)) breakLock(lock, holder);
    return false;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Another process may have broken it already and taken it: what is taken away is looked at before it is gone. */
function breakLock(lock, holder) {
  const aside = `${lock}.broken-by-${process.pid}`;
  try {
    renameSync(lock, aside);
    if (holderOf(aside)?.pids !== holder.pids) linkSync(aside, lock);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
  rmSync(aside, { force: true });
}

function holderOf(lock) {
  try {
    return { pids: readFileSync(lock, 'utf8'), since: statSync(lock).mtimeMs };
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isHeld({ pids, since }) {
  return Date.now() - since < TOO_OLD && pids.split(' ').some((pid) => isAlive(Number(pid)));
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
