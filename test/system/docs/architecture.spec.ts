import { PROJECT } from '../../support/service';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
    const rows = tableRows(section(read('docs/architecture.md'), '## Modules'));
    const named = rows.flatMap(([first = '']) => [...first.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    expect(named.toSorted()).toEqual(modules);
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
