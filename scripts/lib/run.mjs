import { spawn } from 'node:child_process';
import { shareLockWith } from './lock.mjs';
import { Failure, PROJECT } from './project.mjs';

/**
 * Runs a program. Its output goes to standard error.
 * @throws Error if it cannot be started, or fails
 */
export async function runProgram(program, args, options = {}) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 2, 2] });
  const ending = await new Promise((settle, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => settle(signal ?? code));
  });
  if (ending !== 0) throw new Error(`"${[program, ...args].join(' ')}" ended with ${ending}`);
}

/** Runs npm in the project's folder. Its output goes to standard error, because standard output is the program's. */
export async function runNpm(args) {
  const child = spawn('npm', args, {
    cwd: PROJECT,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (child.pid !== undefined) shareLockWith(child.pid);
  // A terminal's Ctrl-C reaches npm directly, but a signal to this process must be forwarded.
  const forward = (signal) => child.kill(signal);
  process.on('SIGTERM', forward).on('SIGINT', forward);
  try {
    const ending = await new Promise((settle, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => settle(signal ?? code));
    });
    if (ending !== 0)
      throw new Failure(`"npm ${args[0] === 'run' ? 'run build' : 'ci'}" failed (${ending}): see above.`);
  } catch (error) {
    if (error.code === 'ENOENT')
      throw new Failure('npm is not installed, and Muster needs it to install its packages.');
    throw error;
  } finally {
    process.off('SIGTERM', forward).off('SIGINT', forward);
  }
}
