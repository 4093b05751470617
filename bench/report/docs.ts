import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../src/database/connection/connection';
import type { Results } from './results';
import { everydayParagraphs } from './everyday';
import { markdownTables } from './table';

/** Writes the figures into docs/performance.md: the parts of the page that the run has measured. */
export function writeDocs(results: Results): void {
  const file = join(projectDir(), 'docs/performance.md');
  let page = readFileSync(file, 'utf8');
  const parts = {
    ...(results.everyday.length > 0 ? { everyday: everydayParagraphs(results) } : {}),
    ...(results.cases.length > 0 ? { results: markdownTables(results) } : {}),
  };
  for (const [name, paragraphs] of Object.entries(parts)) {
    const begin = `<!-- ${name}: written by "npm run bench -- --write-docs" -->`;
    const end = `<!-- end of ${name} -->`;
    const [from, to] = [page.indexOf(begin), page.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${file} has no place for the ${name}`);
    const text = `<!-- prettier-ignore-start -->\n\n${paragraphs}\n\n<!-- prettier-ignore-end -->`;
    page = `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
  }
  writeFileSync(file, page);
}
