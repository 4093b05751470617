import { writeFileSync } from 'node:fs';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { exportLines } from '../support/export-reader';
import { asLines } from '../support/importing';
import { revertHint } from '../support/reverts';
import { muster, printed, temporaryFile } from '../support/shell';

const app = sharedService();

const REGION = { kind: 'region', name: 'north' };
const device = (name: string, more: object = {}) => ({
  kind: 'network-device',
  name,
  region: 'north',
  ip_address: '10.1.1.1',
  device_type: 'switch',
  ...more,
});

const changesOf = async (admin: Caller) =>
  ((await admin.get('/v1/changes?kind=network-device').expect(200)).body as unknown[]).length;

describe('muster import --batch', () => {
  it('creates one change per batch, and adds up the results', async () => {
    const admin = await app.project();
    const lines = [REGION, ...Array.from({ length: 6 }, (_, n) => device(`sw-${String(n)}`))];
    const file = temporaryFile('fleet.json', JSON.stringify(lines));
    expect(await printed(admin, ['import', file, '--batch', '3'])).toBe(
      '7 created, 0 updated, 0 unchanged\n',
    );
    expect(await changesOf(admin)).toBe(3);
    expect(await printed(admin, ['import', file, '--batch', '3'])).toBe(
      '0 created, 0 updated, 7 unchanged\n',
    );
  });

  it('sets a parent from a later batch after it is created', async () => {
    const admin = await app.project();
    const lines = [
      REGION,
      device('a', { parent: 'd', note: 'below' }),
      device('b', { parent: 'a' }),
      device('c', { parent: 'b' }),
      device('d'),
    ];
    const stdin = asLines(lines);
    expect(await printed(admin, ['import', '-', '--batch', '2'], { stdin })).toBe(
      '5 created, 0 updated, 0 unchanged\n',
    );
    const found = await exportLines(admin, '?kind=network-device');
    expect(Object.fromEntries(found.map(({ name, parent }) => [name, parent]))).toEqual({
      a: 'd',
      b: 'a',
      c: 'b',
      d: null,
    });
    expect(await printed(admin, ['import', '-', '--batch', '2'], { stdin })).toBe(
      '0 created, 0 updated, 5 unchanged\n',
    );
  });

  it('does not mistake another kind of resource with that name for the parent', async () => {
    const admin = await app.project();
    const lines = [
      REGION,
      { kind: 'cell', region: 'north', name: 'core' },
      device('a', { parent: 'core' }),
      device('core'),
    ];
    expect(await printed(admin, ['import', '-', '--batch', '3'], { stdin: asLines(lines) })).toBe(
      '4 created, 0 updated, 0 unchanged\n',
    );
    expect(await exportLines(admin, '?name=a')).toMatchObject([{ parent: 'core' }]);
  });

  it('reports the completed lines after an error, and continues when repeated', async () => {
    const admin = await app.project();
    const lines = [REGION, device('a'), '', device('b'), device('c', { cell: 'none' }), device('d')];
    const file = temporaryFile('fleet.ndjson', asLines(lines));
    const ended = await muster(admin, ['import', file, '--batch', '2']);
    expect(ended).toMatchObject({ code: 7, stdout: '' });
    expect(ended.stderr).toContain(
      'muster: Nothing of the last batch was written: 1 line cannot be imported.',
    );
    expect(ended.stderr).toContain(`  ${file}, line 5: cell: `);
    expect(ended.stderr).toContain(`The lines up to ${file}, line 4 were imported.`);
    expect(ended.stderr).toContain(
      'To continue, repeat the import: what is written already stays unchanged.',
    );
    expect(ended.stderr).toContain(`\n${await revertHint(admin, 2)}\n`);
    writeFileSync(file, asLines(lines).replace('"cell":"none"', '"note":"right"'));
    expect(await printed(admin, ['import', file, '--batch', '2'])).toBe(
      '2 created, 0 updated, 3 unchanged\n',
    );
  });

  it('reports an error in the first batch like an import without batches', async () => {
    const admin = await app.project();
    const ended = await muster(admin, ['import', '-', '--batch', '2'], { stdin: asLines([device('a')]) });
    expect(ended.code).toBe(4);
    expect(ended.stderr).not.toContain('were imported');
  });

  it('splits tables between records, each part with the header', async () => {
    const admin = await app.project();
    await printed(admin, ['import', '-'], { stdin: asLines([REGION]) });
    const rows = ['a', 'b', 'c'].map((name) => `${name};north;10.1.1.1;server;"two\nlines; ""quoted"""\n`);
    const table = `sep=;\nname;region;ip_address;device_type;note\n${rows.join('')}`;
    const file = temporaryFile('hosts.csv', table);
    expect(await printed(admin, ['import', file, '--batch', '1'])).toBe(
      '3 created, 0 updated, 0 unchanged\n',
    );
    expect(await exportLines(admin, '?name=c')).toMatchObject([{ note: 'two\nlines; "quoted"' }]);
    writeFileSync(
      file,
      table.replace('c;north', 'c;nowhere').replace('b;north;10.1.1.1', 'b;north;10.1.1.2'),
    );
    const ended = await muster(admin, ['import', file, '--batch', '1', '--partial', '--yes']);
    expect(ended).toMatchObject({ code: 7, stdout: '0 created, 1 updated, 1 unchanged, 1 failed\n' });
    // The third record begins here, because the two records before it have two lines each.
    expect(ended.stderr).toContain(`${file}, line 7: region: `);
  });

  it('rejects --dry-run and invalid batch sizes', async () => {
    const admin = await app.project();
    for (const more of [
      ['--batch', '2', '--dry-run'],
      ['--batch', '0'],
      ['--batch', 'many'],
    ]) {
      const { code, stdout } = await muster(admin, ['import', '-', ...more], { stdin: asLines([REGION]) });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    }
  });

  it('reports each failing line once, even if its parent is set later', async () => {
    const admin = await app.project();
    const lines = [REGION, device('a', { parent: 'z', cell: 'none' }), device('z')];
    const ended = await muster(admin, ['import', '-', '--batch', '2', '--partial', '-o', 'json'], {
      stdin: asLines(lines),
    });
    expect(ended.code).toBe(7);
    expect(JSON.parse(ended.stdout)).toMatchObject({ created: 2, failed: 1, errors: [{ line: 2 }] });
  });
});
