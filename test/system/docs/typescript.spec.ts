import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, sharedService } from '../../support/service';
import { ended, environmentOf, temporaryFolder } from '../../support/shell';
import { codeBlocks } from '../../support/markdown';

const page = readFileSync(join(PROJECT, 'docs/typescript.md'), 'utf8');
const blocks = codeBlocks(page);
const program = blocks.filter(({ language }) => language === 'ts').map(({ text }) => text);

const app = sharedService();
let folder: string;

const OPTIONS = [
  '--strict',
  '--target',
  'es2023',
  '--module',
  'nodenext',
  '--types',
  'node',
  '--skipLibCheck',
];

const WRONG = [
  "await muster.get('/v1/hosts/{id}', {});",
  "await muster.get('/v1/hostz', {});",
  "await muster.get('/v1/hosts', { query: { colour: 'green' } });",
  "await muster.post('/v1/regions', { body: { nam: 'x' } });",
  "await muster.put('/v1/hosts/{id}', { path: { id: 1 }, body: { active: 'yes' } });",
  "for await (const { nome } of muster.list('/v1/hosts', {})) console.log(nome);",
  "for await (const { id } of muster.list('/v1/hosts', { query: { fields: ['name'] } })) console.log(id);",
  "for (const { id } of await muster.get('/v1/hosts', { query: { fields: ['name'] } })) console.log(id);",
  "for await (const { id } of muster.list('/v1/hosts', { query: { fields: ['nome'] } })) console.log(id);",
  "for await (const { name } of muster.list('/v1/hosts', { query: { fields: some } })) name.trim();",
  "const { label } = await muster.post('/v1/labels', { body: [{ label: 'x' }] });",
];

const RIGHT = [
  "import { Muster, type Item } from '@muster/client';",
  "const muster = new Muster({ url: '', token: '' });",
  'const lengths: number[] = [];',
  "for await (const { id, name } of muster.list('/v1/hosts', {})) lengths.push(id, name.length);",
  "for await (const { id } of muster.list('/v1/hosts', { query: { limit: 10 } })) lengths.push(id);",
  "for await (const { name } of muster.list('/v1/hosts', { query: { fields: ['name'] } }))",
  '  lengths.push(name.length);',
  "for (const { id, name } of await muster.get('/v1/hosts', { query: { fields: ['id', 'name'] } }))",
  '  lengths.push(id, name.length);',
  "const some: ('id' | 'name')[] = ['id'];",
  "for await (const { name } of muster.list('/v1/hosts', { query: { fields: some } }))",
  '  lengths.push(name?.length ?? 0);',
  "const first = async (): Promise<Item<'/v1/cells'> | undefined> => (await muster.get('/v1/cells', {}))[0];",
  "const { version } = await muster.get('/v1/hosts/{id}', { path: { id: 1 } });",
  'console.log(lengths, version, (await first())?.name.length);',
];

/** What the compiler reports of the three programs. One run compiles them, because reading the types takes most of it. */
let reported: string;

beforeAll(async () => {
  folder = temporaryFolder();
  // Install the package as npm does.
  mkdirSync(join(folder, 'node_modules/@muster'), { recursive: true });
  symlinkSync(join(PROJECT, 'client'), join(folder, 'node_modules/@muster/client'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const some = "const some: ('id' | 'name')[] = ['id'];";
  const head = `import { Muster } from '@muster/client';\nconst muster = new Muster({ url: '', token: '' }); ${some}\n`;
  const programs = {
    'page.ts': program.join("console.log('~~~');\n"),
    'wrong.ts': `${head}${WRONG.join('\n')}\n`,
    'right.ts': RIGHT.join('\n'),
  };
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text);
  const roots = ['--typeRoots', join(PROJECT, 'node_modules/@types')];
  const tsc = join(PROJECT, 'node_modules/typescript7/bin/tsc');
  const args = [tsc, '--singleThreaded', ...OPTIONS, ...roots, ...Object.keys(programs)];
  reported = (await ended(spawn(process.execPath, args, { cwd: folder }))).stdout;
}, 120_000);

/** The lines of a program that have errors. */
const errorsIn = (name: string): number[] => [
  ...new Set(
    [...reported.matchAll(/^(\w+\.ts)\((\d+),/gm)].flatMap(([, file, line]) =>
      file === name ? [Number(line)] : [],
    ),
  ),
];

it("the page's program compiles and prints what the page shows", async () => {
  const admin = await app.project();
  expect(errorsIn('page.ts')).toEqual([]);
  const { stdout, stderr, code } = await ended(
    spawn(process.execPath, [join(folder, 'page.js')], { env: environmentOf(admin) }),
  );
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const claimed = blocks.filter(({ language }) => language === 'text').map(({ text }) => text);
  expect(stdout.split('~~~\n')).toEqual(claimed);
  expect(claimed.length).toBeGreaterThan(4);
});

it('the compiler rejects unknown paths, members and values, and reports nothing else', () => {
  expect(errorsIn('wrong.ts')).toEqual(WRONG.map((_, i) => i + 3));
  expect(reported.match(/^\S.*$/gm)?.filter((line) => !line.startsWith('wrong.ts('))).toEqual([]);
});

it('list items have the selected members, or all members without a selection', () => {
  expect(errorsIn('right.ts')).toEqual([]);
});

it('the package can be loaded by require', async () => {
  const script = "console.log(typeof require('@muster/client').Muster)";
  writeFileSync(join(folder, 'old.cjs'), script);
  expect(await ended(spawn(process.execPath, [join(folder, 'old.cjs')]))).toEqual({
    code: 0,
    stdout: 'function\n',
    stderr: '',
  });
});
