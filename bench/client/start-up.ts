import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** So often each command is run; they take turns, so that what else the machine does happens to all of them. */
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
 * Times how long the client takes to start, beside a node that does nothing: whole processes, in milliseconds.
 * @param folder of a Muster that is built
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
    return `${name.padEnd(26)} median ${shown((RUNS - 1) / 2)}, least ${shown(0)}`;
  });
}
