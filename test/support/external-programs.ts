import { accessSync, constants } from 'node:fs';
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

/** Tests with other real programs. If one is missing, they are skipped; `npm test -- --with-peers` installs it. */
export function describeWithPeers(name: string, programs: readonly string[], tests: () => void): void {
  const missing = programs.filter((program) => findOnPath(program) === undefined);
  if (missing.length === 0) describe(name, tests);
  else describe.skip(`${name} (not installed: ${missing.join(', ')})`, tests);
}
