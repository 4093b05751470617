import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../src/database/connection/connection';
import type { Results } from './results';
import { markdownTables } from './table';

const BEGIN = '<!-- results: written by "npm run bench -- --write-docs" -->';
const END = '<!-- end of results -->';

/** Writes the figures into docs/performance.md. */
export function writeDocs(results: Results): void {
  const file = join(projectDir(), 'docs/performance.md');
  const text = readFileSync(file, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${file} has no place for the results`);
  const tables = `<!-- prettier-ignore-start -->\n\n${markdownTables(results)}\n\n<!-- prettier-ignore-end -->`;
  writeFileSync(file, `${text.slice(0, begin + BEGIN.length)}\n\n${tables}\n\n${text.slice(end)}`);
}
