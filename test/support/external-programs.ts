import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program on the PATH, or undefined. */
function findOnPath(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Missing or not executable.
    return false;
  }
}

/** How long a test file waits for the installation of what it needs. */
const MAX_INSTALLATION_MS = 900_000;

/**
 * Waits until what a test file needs is installed, if that was missing at the start of the run: `npm test -- --with-peers` installs
 * it beside the tests. Programs are there before all that they need is, so it is the end of the whole installation that counts.
 * @param names of programs or generators
 * @throws Error if the installation has failed, or takes too long
 */
export function awaitInstallation(names: readonly string[]): void {
  const { TEST_PEERS_INSTALLED: ending, TEST_PEERS_MISSING: missing = '' } = process.env;
  if (ending === undefined || !names.some((name) => missing.split(',').includes(name))) return;
  // Tests are declared, or skipped, when their file is loaded, which is synchronous.
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (const start = Date.now(); !existsSync(ending); Atomics.wait(never, 0, 0, 100))
    if (Date.now() - start > MAX_INSTALLATION_MS)
      throw new Error(`${names.join(', ')} are still not installed after ${String(MAX_INSTALLATION_MS)} ms`);
  const failure = readFileSync(ending, 'utf8');
  if (failure !== '') throw new Error(failure);
}

/** Tests with other real programs. If one is missing, they are skipped; `npm test -- --with-peers` installs it. */
export function describeWithPeers(name: string, programs: readonly string[], tests: () => void): void {
  awaitInstallation(programs);
  const missing = programs.filter((program) => findOnPath(program) === undefined);
  if (missing.length === 0) describe(name, tests);
  else describe.skip(`${name} (not installed: ${missing.join(', ')})`, tests);
}
