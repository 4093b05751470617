import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller } from '../support/caller';
import { exportLines } from '../support/export-reader';
import { asLines } from '../support/importing';
import { sharedService } from '../support/service';
import { muster, printed, temporaryFolder } from '../support/shell';

const app = sharedService();

const REGION = { kind: 'region', name: 'north', variables: { domain: 'north.example.net' } };
const host = (name: string, more: object = {}) => ({
  kind: 'host',
  name,
  region: 'north',
  ip_address: '10.1.1.1',
  device_type: 'server',
  ...more,
});

/** Writes a file in a new temporary folder. */
function fileOf(name: string, content: string): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}

describe('an import of a table', () => {
  const table = [
    'name,note,variables.version,variables.port,variables.a',
    'web-1,,10.1,(unset),',
    'web-2,,,,',
    '',
  ].join('\n');
  let admin: Caller;

  beforeEach(async () => {
    admin = await app.project();
    const variables = { version: '10.10', port: 1, a: 'x' };
    const lines = [REGION, host('web-1', { note: 'a note', variables }), host('web-2', { variables })];
    await printed(admin, ['import', '-'], { stdin: asLines(lines) });
  });

  it('warns of numbers that lose digits', async () => {
    const file = fileOf('hosts.csv', 'name,variables.serial\nweb-1,90071992547409900\n');
    const line = JSON.stringify(host('web-1', { variables: { serial: 0 } }));
    const stdin = `${line.replace('"serial":0', '"serial":90071992547409931')}\n`;
    await printed(admin, ['import', '-', '--yes'], { stdin });
    const { code, stderr } = await muster(admin, ['import', file]);
    expect(code).toBe(2);
    expect(stderr).toContain('  The types or digits of 1 variable would change.\n');
    expect((await muster(admin, ['import', file, '--yes'])).stderr).toBe(
      'Warning: the types or digits of 1 value changed:\n' +
        `  ${file}, line 2: web-1: serial lost digits of its number\n`,
    );
  });

  it('keeps every character, and warns of columns that have numbers and texts', async () => {
    const file = fileOf('hosts.csv', 'name,variables.kernel\nweb-1,6.8\nweb-2,6.10\n');
    const { stderr } = await muster(admin, ['import', file, '--yes']);
    expect(stderr).toBe(
      `Warning: variables.kernel has numbers and texts: 6.10 (${file}, line 3) would lose characters as a number. ` +
        'If all are texts, name the column variables.kernel:text.\n',
    );
    expect(await exportLines(admin, '?kind=host')).toMatchObject([
      { variables: { kernel: 6.8 } },
      { variables: { kernel: '6.10' } },
    ]);
    expect(JSON.parse(await printed(admin, ['import', file, '--dry-run', '-o', 'json']))).toMatchObject({
      mixed_columns: [{ file, line: 3, key: 'kernel', cell: '6.10' }],
    });
  });

  it('removes values, warns of changed types, and says which cells changed nothing', async () => {
    const file = fileOf('hosts.csv', table);
    const dryRun = await muster(admin, ['import', file, '--dry-run']);
    expect(dryRun.stderr).toBe(
      'Warning: the types or digits of 1 value would change:\n' +
        `  ${file}, line 2: web-1: version would change from a string to a number\n` +
        '5 empty cells would change nothing: write (unset) to remove a value.\n',
    );
    const question = await muster(admin, ['import', file]);
    expect(question).toMatchObject({ code: 2, stdout: '' });
    expect(question.stderr).toContain('  The types or digits of 1 variable would change.\n');
    const ended = await muster(admin, ['import', file, '--yes']);
    expect(ended).toMatchObject({
      code: 0,
      stdout: '0 created, 1 updated, 1 unchanged; 1 device resolves another value\n',
    });
    expect(ended.stderr).toBe(
      'Warning: the types or digits of 1 value changed:\n' +
        `  ${file}, line 2: web-1: version changed from a string to a number\n` +
        '5 empty cells changed nothing: write (unset) to remove a value.\n',
    );
    expect((await exportLines(admin, '?name=web-1'))[0]).toMatchObject({
      note: 'a note',
      variables: { version: 10.1, a: 'x' },
    });
  });

  it('reports the same as JSON, and for batches', async () => {
    const file = fileOf('hosts.csv', table);
    const args = ['import', file, '--yes', '--batch', '1', '-o', 'json'];
    expect(JSON.parse(await printed(admin, args))).toMatchObject({
      updated: 1,
      unchanged: 1,
      ignored_empty_cells: 5,
      type_changes_total: 1,
      type_changes: [{ file, line: 2, name: 'web-1', key: 'version', before: 'string', after: 'number' }],
    });
  });
});
