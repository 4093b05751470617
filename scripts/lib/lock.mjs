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

/** In dist, which git ignores and which, unlike node_modules, is not emptied by an installation. */
const LOCK = 'dist/.preparing';
/** Longer than any installation. In an older lock, the process ID may belong to another process. */
const MAX_AGE_MS = 15 * 60_000;

/** Runs the work exclusively among the processes of this clone. */
export async function withLock(work) {
  const lock = fileOf(LOCK);
  mkdirSync(fileOf('dist'), { recursive: true });
  let isReported = false;
  while (!take(lock)) {
    if (!isReported)
      console.error('Waiting for another "npm start" or "npm test" that is installing or building…');
    isReported = true;
    await delay(100);
  }
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Adds a child process to the lock's owners, because it continues if the owner is killed. */
export function shareLockWith(pid) {
  appendFileSync(fileOf(LOCK), ` ${pid}`);
}

/** Creates the lock atomically with its owner's process ID, by linking a complete file. */
function take(lock) {
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const holder = holderOf(lock);
    if (holder !== undefined && !isHeld(holder)) breakLock(lock, holder);
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Breaks a lock. Another process may have acquired it meanwhile, so the renamed file is checked and restored. */
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
  return Date.now() - since < MAX_AGE_MS && pids.split(' ').some((pid) => isAlive(Number(pid)));
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
