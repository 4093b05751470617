import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startClientRunner } from '../../support/command-runner';
import { PROJECT, startService, type OwnService } from '../../support/service';
import { ended, environmentOf, temporaryFolder } from '../../support/shell';
import { codeBlocks, normal } from '../../support/markdown';

/** A command of the page, and the output that the page shows. */
interface Shown {
  readonly command: string;
  readonly claimed: string;
}

const MUSTER_IN_RUNNER = join(PROJECT, 'test/support/muster-in-runner.cjs');

const page = readFileSync(join(PROJECT, 'docs/client.md'), 'utf8');

/** In console blocks, a line with `$ ` is a command, which `\` continues. The other lines are its output. */
function commandsOf(block: string): Shown[] {
  const found: { command: string; claimed: string }[] = [];
  let isCommand = false;
  for (const line of block.split('\n')) {
    const last = found.at(-1);
    if (line.startsWith('$ ')) found.push({ command: line.slice(2), claimed: '' });
    else if (isCommand && last) last.command += `\n${line}`;
    else if (last) last.claimed += `${line}\n`;
    isCommand = (line.startsWith('$ ') || isCommand) && line.endsWith('\\');
  }
  return found;
}

const shown = codeBlocks(page)
  .filter(({ language }) => language === 'console')
  .flatMap(({ text }) => commandsOf(text));

/** A service with an empty database, so that IDs match the page. */
let app: OwnService;
let runner: ChildProcess;
const printed: string[] = [];

beforeAll(async () => {
  app = await startService();
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  // All commands of the page run in one process, whose working folder is that of the shell.
  const started = await startClientRunner(folder);
  runner = started.process;
  const muster = `#!/bin/sh\nexec "${process.execPath}" "${MUSTER_IN_RUNNER}" "$@"\n`;
  writeFileSync(join(folder, 'bin/muster'), muster, { mode: 0o755 });
  const env = {
    ...environmentOf(app.root),
    RUNNER: started.url,
    HOME: folder,
    PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}`,
  };
  const demo = await ended(spawn(process.execPath, [join(PROJECT, 'scripts/demo.mjs')], { env }));
  expect(demo.stderr).toBe('');
  // One shell for the whole page: commands use variables that earlier commands set.
  const script = shown.map(({ command }) => `{ ${command}\n} 2>&1\necho '~~~'`).join('\n');
  const { stdout } = await ended(spawn('bash', ['-c', script], { cwd: folder, env }));
  printed.push(...stdout.split('~~~\n'));
}, 300_000);
afterAll(async () => {
  runner.disconnect();
  await app.stop();
});

it('docs/client.md contains commands', () => {
  expect(shown.length).toBeGreaterThan(15);
  expect(printed).toHaveLength(shown.length + 1);
});

it.each(shown.map((one, i) => ({ ...one, i })))(
  'docs/client.md shows the actual output of: $command',
  ({ claimed, i }) => {
    const [beginning = '', ...rest] = claimed.split('…\n');
    const actual = normal(printed[i] ?? 'nothing');
    if (rest.length === 0) expect(actual).toBe(normal(claimed));
    else expect(actual.slice(0, normal(beginning).length)).toBe(normal(beginning));
  },
);
