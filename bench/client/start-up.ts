import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The number of runs of each command. Commands take turns, so that other load affects all of them equally. */
const RUNS = 21;

const COMMANDS = {
  'node -e 0': ['-e', '0'],
  'muster --version': ['--version'],
  'muster --help': ['--help'],
  'muster host list --help': ['host', 'list', '--help'],
  'muster vars set --help': ['vars', 'set', '--help'],
  'muster import --help': ['import', '--help'],
};

/**
 * Measures the run time (ms) of client processes, compared with an empty node process.
 * @param folder the folder of a built Muster
 * @returns a line for each command
 */
export function startUp(folder: string): string[] {
  const program = join(folder, 'client/dist/cli.js');
  const times = Object.entries(COMMANDS).map(([name, args]) => ({
    name,
    args: name.startsWith('muster') ? [program, ...args] : args,
    taken: [] as number[],
  }));
  for (let run = 0; run < RUNS; run++)
    for (const { name, args, taken } of times) {
      const began = performance.now();
      const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
      taken.push(performance.now() - began);
      if (status !== 0) throw new Error(`${name} ended with ${String(status)}`);
    }
  return times.map(({ name, taken }) => {
    const sorted = taken.toSorted((a, b) => a - b);
    const shown = (at: number) => `${(sorted[at] ?? 0).toFixed(0).padStart(4)} ms`;
    return `${name.padEnd(26)} median ${shown((RUNS - 1) / 2)}, minimum ${shown(0)}`;
  });
}
