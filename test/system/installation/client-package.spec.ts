import { spawn } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, sharedService } from '../../support/service';
import { ended, environmentOf, temporaryFolder } from '../../support/shell';

const MAX_BYTES = 11_000_000;
/** The unit of `Stats.blocks`. */
const BLOCK_BYTES = 512;

const app = sharedService();
/** A folder outside the project with the client's package installed. */
let folder: string;
let packed: string[];

async function run(cwd: string, command: string, args: readonly string[], env = process.env) {
  const { code, stdout, stderr } = await ended(spawn(command, args, { cwd, env }));
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${String(code)}:\n${stderr}`);
  return stdout;
}

beforeAll(async () => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  const pack = ['pack', '--workspace', 'client', '--pack-destination', folder, '--json'];
  const output: unknown = JSON.parse(await run(PROJECT, 'npm', pack));
  // npm 11 prints an array, newer versions an object by name.
  const [{ filename, files }] = Object.values(output as object) as [
    { readonly filename: string; readonly files: readonly { readonly path: string }[] },
  ];
  packed = files.map(({ path }) => path);
  const options = ['--prefer-offline', '--no-audit', '--no-fund'];
  await run(folder, 'npm', ['install', ...options, join(folder, filename)]);
}, 300_000);

/** The installed packages, by the paths of their package.json files. */
function installedPackages(below: string): string[] {
  return readdirSync(below, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === 'package.json')
    .map(({ parentPath }) => readFileSync(join(parentPath, 'package.json'), 'utf8'))
    .map((text) => JSON.parse(text) as { readonly name?: string; readonly version?: string })
    .flatMap(({ name, version }) => (name !== undefined && version !== undefined ? [name] : []));
}

/** The size of a folder on the disk, as `du` counts it. */
const sizeOf = (below: string): number =>
  readdirSync(below, { recursive: true, encoding: 'utf8' })
    .map((name) => lstatSync(join(below, name)).blocks * BLOCK_BYTES)
    .reduce((sum, size) => sum + size, 0);

describe('the package of the client', () => {
  it('is smaller than 11 MB with its dependencies', () => {
    expect(sizeOf(join(folder, 'node_modules'))).toBeLessThan(MAX_BYTES);
  });

  it('installs neither PostgreSQL nor the service, and each package once', () => {
    const names = installedPackages(join(folder, 'node_modules'));
    expect(names).toContain('@muster/client');
    expect(names.filter((name) => /postgres|^pg|nestjs|typeorm|^muster$/.test(name))).toEqual([]);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  it('contains programs and types, and neither sources nor tests', () => {
    const unexpected = packed.filter(
      (path) => !/^(package\.json|LICENSE|bin\/[\w-]+\.mjs|dist\/.+\.(js|d\.ts))$/.test(path),
    );
    expect(unexpected).toEqual([]);
    expect(packed).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'dist/cli.js']));
  });

  it('contains the licence of the project', () => {
    const licenceIn = (of: string) => readFileSync(join(of, 'LICENSE'), 'utf8');
    expect(licenceIn(join(folder, 'node_modules/@muster/client'))).toBe(licenceIn(PROJECT));
  });

  it('has the commands muster and muster-ansible', async () => {
    const admin = await app.project();
    const region = await admin.region();
    const host = await admin.host({ region_id: region.id });
    const bin = join(folder, 'node_modules/.bin');
    const env = environmentOf(admin);
    expect(await run(folder, join(bin, 'muster'), ['region', 'list', '-o', 'name'], env)).toBe(
      `${region.name}\n`,
    );
    const inventory = JSON.parse(await run(folder, join(bin, 'muster-ansible'), ['--list'], env)) as object;
    expect(inventory).toMatchObject({ _meta: { hostvars: { [host.name]: {} } } });
  });

  it('is what npx runs in a checkout', async () => {
    expect(await run(PROJECT, 'node_modules/.bin/muster', ['--help'])).toContain(
      'The fleet inventory, from the shell.',
    );
  });

  it('can be loaded as an ES module and as CommonJS', async () => {
    const script = "console.log(typeof require('@muster/client').Muster)";
    expect(await run(folder, process.execPath, ['-e', script])).toBe('function\n');
    const module = "import { Muster } from '@muster/client'; console.log(typeof Muster)";
    expect(await run(folder, process.execPath, ['--input-type=module', '-e', module])).toBe('function\n');
  });
});
