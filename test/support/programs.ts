import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the set-up before all tests leaves the script's path for those who start programs. */
const VARIABLE = 'TEST_QUICK_START';

/**
 * Has programs started quickly: see `quick-start.cjs`. For the set-up before all tests.
 * @returns what is to be called after all of them
 */
export function keepPrograms(): () => void {
  const folder = mkdtempSync(join(tmpdir(), `muster-test-${String(process.pid)}-programs-`));
  // Some programs are another user's.
  chmodSync(folder, 0o755);
  const script = join(folder, 'quick-start.cjs');
  copyFileSync(join(__dirname, 'quick-start.cjs'), script);
  process.env[VARIABLE] = script;
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}

/** What Node is given before the path of one of our built programs. Its processes hand it on to their own. */
export function quickStart(): string[] {
  const script = process.env[VARIABLE];
  return script === undefined ? [] : ['--require', script];
}
