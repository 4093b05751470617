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

/**
 * Tests with other real programs, which `npm test` installs if permitted (see scripts/lib/peers.mjs). If one is
 * missing, the tests are skipped with a message, but fail in CI.
 */
export function describeWithPeers(name: string, programs: readonly string[], tests: () => void): void {
  const missing = programs.filter((program) => findOnPath(program) === undefined);
  if (missing.length === 0) {
    describe(name, tests);
    return;
  }
  if (process.env.CI !== undefined) {
    it(`${name}: needs ${missing.join(', ')}`, () => {
      throw new Error(`not installed: ${missing.join(', ')}`);
    });
    return;
  }
  describe.skip(`${name} (not installed: ${missing.join(', ')})`, tests);
}
