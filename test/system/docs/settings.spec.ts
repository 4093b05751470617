import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvironment, SETTING_NAMES } from '../../../src/config/environment';
import { tableRows } from '../../support/markdown';
import { PROJECT } from '../../support/service';

/** A setting's value as environment text. */
const textOf = (setting: unknown): string =>
  typeof setting === 'string' ? setting : JSON.stringify(setting);

describe('docs/settings.md', () => {
  const rows = tableRows(readFileSync(join(PROJECT, 'docs/settings.md'), 'utf8')).map((cells) =>
    cells.map((cell) => cell.replaceAll('`', '')),
  );

  it('has each setting of the program once', () => {
    const documented = rows.map(([name]) => name);
    expect(documented.toSorted()).toEqual(SETTING_NAMES.toSorted());
  });

  it("has the program's defaults", () => {
    const defaults = Object.entries(readEnvironment({})).filter(([, value]) => value !== undefined);
    const shown = rows.flatMap(([name = '', value = '']) =>
      value === '' || name === 'DATA_DIR' ? [] : [[name, value]],
    );
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(defaults.map(([name, value]) => [name, textOf(value)])),
    );
  });
});
