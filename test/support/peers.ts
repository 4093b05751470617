import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program stands on the PATH; undefined if it does not. */
function whereIs(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Not there, or not to be run: either way not the program that is looked for.
    return false;
  }
}

/**
 * Tests with real programs of others, which `npm test` installs where it may (see scripts/lib/peers.mjs). Where they are
 * missing the tests are skipped and say so, but not in CI, where nobody would read that: there they fail.
 */
export function describeWithPeers(name: string, programs: readonly string[], tests: () => void): void {
  const missing = programs.filter((program) => whereIs(program) === undefined);
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
