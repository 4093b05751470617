import { PROJECT } from '../../support/service';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { section, tableRows } from '../../support/markdown';

const read = (name: string) => readFileSync(join(PROJECT, name), 'utf8');

/** Those that hold anything: git knows no empty folder, but a work tree may have one. */
const folders = readdirSync(join(PROJECT, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath }) => parentPath.slice(join(PROJECT, 'src/').length).split('/')[0] ?? '')
  .filter((folder) => folder !== '');
const modules = [...new Set(folders)].toSorted();

describe('every folder under src', () => {
  it("is in the architecture's table, and no other", () => {
    const rows = tableRows(section(read('docs/architecture.md'), '## Modules'));
    const named = rows.flatMap(([first = '']) => [...first.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    expect(named.toSorted()).toEqual(modules);
  });
});

describe('the index of the decisions', () => {
  it('has each of them, in order, by its title', () => {
    const pages = readdirSync(join(PROJECT, 'docs/adr')).filter((name) => /^\d{4}-/.test(name));
    const lines = pages.toSorted().map((name) => {
      const [, number = '', title = ''] = /^# (\d+)\. (.*)$/m.exec(read(`docs/adr/${name}`)) ?? [];
      expect(name.slice(0, 4)).toBe(number.padStart(4, '0'));
      return `${number}. [${title}](${name})`;
    });
    expect(read('docs/adr/README.md').match(/^\d+\. .*$/gm)).toEqual(lines);
  });
});
