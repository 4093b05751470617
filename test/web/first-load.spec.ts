import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { PROJECT } from '../support/service';

const MAX_BYTES = 250_000;
/** The files of a page besides those of the start: a browser sends six requests at a time to a server without HTTP/2. */
const MAX_FILES = 28;

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

const folder = join(PROJECT, 'dist/web');
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<
  string,
  Chunk
>;

/** A chunk and all that it imports statically. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const imported of manifest[name]?.imports ?? []) withImports(imported, seen);
  return seen;
}

it('the browser application loads at most 250 kB of compressed JavaScript before any of its pages, in few files', () => {
  const [entry = ''] = Object.entries(manifest).find(([, { isEntry }]) => isEntry === true) ?? [];
  const pages = manifest[entry]?.dynamicImports ?? [];
  expect(pages.length).toBeGreaterThan(2);
  const sizes = pages.map((page) => {
    const files = [...withImports(page, withImports(entry))].map((name) => manifest[name]?.file ?? '');
    const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
    return { page, bytes, others: files.length - withImports(entry).size };
  });
  expect(sizes.filter(({ bytes, others }) => bytes > MAX_BYTES || others > MAX_FILES)).toEqual([]);
  // What most pages share is loaded together with the start, and there is one style sheet.
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const shared = Object.values(manifest).filter(({ file }) => /\/shared-[^/]*\.js$/.test(file));
  expect(shared).toHaveLength(1);
  expect(html).toContain(`<link rel="modulepreload" href="./${shared[0]?.file ?? ''}">`);
  expect(html.match(/rel="stylesheet"/g)).toHaveLength(1);
});
