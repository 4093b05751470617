import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, startService, type OwnService } from '../../support/service';
import { ended, environmentOf, MUSTER, temporaryFolder } from '../../support/shell';
import { codeBlocks, normal } from '../../support/markdown';

/** A command of the page, and the output that the page shows. */
interface Shown {
  readonly command: string;
  readonly claimed: string;
}

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
const printed: string[] = [];

beforeAll(async () => {
  app = await startService();
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  const program = join(folder, 'bin/muster');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${MUSTER}" "$@"\n`);
  chmodSync(program, 0o755);
  const env = {
    ...environmentOf(app.root),
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
afterAll(() => app.stop());

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
