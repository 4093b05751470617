import { PROJECT } from '../../support/service';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { section, tableRows } from '../../support/markdown';

const read = (name: string) => readFileSync(join(PROJECT, name), 'utf8');

/** Only folders with files: git ignores empty folders, but a work tree may have one. */
const folders = readdirSync(join(PROJECT, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath }) => parentPath.slice(join(PROJECT, 'src/').length).split('/')[0] ?? '')
  .filter((folder) => folder !== '');
const modules = [...new Set(folders)].toSorted();

describe('docs/architecture.md', () => {
  it('lists exactly the folders under src', () => {
    const rows = tableRows(section(read('docs/architecture.md'), '## Code map'));
    const named = rows.flatMap(([first = '']) => [...first.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    expect(named.toSorted()).toEqual(modules);
  });
});

/** The arrows of the diagram, from a folder to the ones that it imports. */
const arrows = [...read('docs/architecture.md').matchAll(/^ {2}(\S+) --> (\S+)$/gm)].map(
  ([, from = '', to = '']) => ({ from, to }),
);

const nodes = new Set(arrows.flatMap(({ from, to }) => [from, to]));

/** The imports between folders, read from the texts of the files. */
function readImports(): { from: string; to: string }[] {
  const found: { from: string; to: string }[] = [];
  const files = readdirSync(join(PROJECT, 'src'), { recursive: true, encoding: 'utf8' });
  for (const name of files.filter((file) => file.endsWith('.ts') && file.includes('/'))) {
    const file = posix.join('src', name);
    const text = read(file);
    for (const [, path = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const target = posix.join(dirname(file), path);
      const [from = '', to = ''] = [file, target].map((one) => one.split('/')[1]);
      if (modules.includes(to) && from !== to) found.push({ from, to });
    }
  }
  return found;
}

/** The folders that the arrows lead to from a folder. */
function reachableFrom(folder: string): Set<string> {
  const reached = new Set<string>();
  const queue = [folder];
  for (let next = queue.pop(); next !== undefined; next = queue.pop())
    for (const { from, to } of arrows)
      if (from === next && !reached.has(to)) {
        reached.add(to);
        queue.push(to);
      }
  return reached;
}

describe('the diagram of the architecture', () => {
  const imports = readImports();

  it('shows every folder', () => {
    expect(modules.filter((folder) => !nodes.has(folder))).toEqual([]);
  });

  it('leads from each folder to all that it imports', () => {
    const missing = imports.filter(({ from, to }) => !reachableFrom(from).has(to));
    expect(missing).toEqual([]);
  });

  it('has arrows for imports only, and none against another one', () => {
    const exists = (arrow: { from: string; to: string }) =>
      imports.some(({ from, to }) => from === arrow.from && to === arrow.to);
    expect(arrows.filter((arrow) => !exists(arrow))).toEqual([]);
    expect([...nodes].filter((node) => reachableFrom(node).has(node))).toEqual([]);
  });
});

describe('the index of decision records', () => {
  it('lists each record by number and title', () => {
    const pages = readdirSync(join(PROJECT, 'docs/adr')).filter((name) => /^\d{4}-/.test(name));
    const lines = pages.toSorted().map((name) => {
      const [, number = '', title = ''] = /^# (\d+)\. (.*)$/m.exec(read(`docs/adr/${name}`)) ?? [];
      expect(name.slice(0, 4)).toBe(number.padStart(4, '0'));
      return `${number}. [${title}](${name})`;
    });
    expect(read('docs/adr/README.md').match(/^\d+\. .*$/gm)).toEqual(lines);
  });
});

/** The source files of the project. */
const sources = ['bench', 'client', 'packages', 'scripts', 'src', 'test', 'web']
  .flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      posix.join(folder, name),
    ),
  )
  .filter((name) => !name.includes('node_modules/'))
  .concat(readdirSync(PROJECT));

describe('the pages about the structure', () => {
  const pages = readdirSync(join(PROJECT, 'docs/adr')).map((name) => `docs/adr/${name}`);

  it.each(['docs/architecture.md', 'web/README.md', ...pages])('%s names files that exist', (page) => {
    const named = [...read(page).matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|[cm]js))`/g)].map(
      ([, name = '']) => name,
    );
    const built = named.filter((name) => name.startsWith('dist/'));
    expect(
      named.filter(
        (name) => !built.includes(name) && !sources.some((file) => `/${file}`.endsWith(`/${name}`)),
      ),
    ).toEqual([]);
  });
});
