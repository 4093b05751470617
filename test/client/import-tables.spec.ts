import type { Caller } from '../support/caller';
import { exportLines } from '../support/export-reader';
import { hostLine, importLines, REGION_LINE } from '../support/importing';
import { revertHint } from '../support/reverts';
import { sharedService } from '../support/service';
import { muster, printed, temporaryFile } from '../support/shell';

const app = sharedService();

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
    await importLines(admin, [
      REGION_LINE,
      hostLine('web-1', { note: 'a note', variables }),
      hostLine('web-2', { variables }),
    ]);
  });

  it('warns of numbers that lose digits', async () => {
    const file = temporaryFile('hosts.csv', 'name,variables.serial\nweb-1,90071992547409900\n');
    const line = JSON.stringify(hostLine('web-1', { variables: { serial: 0 } }));
    const stdin = `${line.replace('"serial":0', '"serial":90071992547409931')}\n`;
    await printed(admin, ['import', '-', '--yes'], { stdin });
    const { code, stderr } = await muster(admin, ['import', file]);
    expect(code).toBe(2);
    expect(stderr).toContain('  The types or digits of 1 variable would change.\n');
    expect((await muster(admin, ['import', file, '--yes'])).stderr).toBe(
      'Warning: the types or digits of 1 value changed:\n' +
        `  ${file}, line 2: web-1: serial lost digits of its number\n${await revertHint(admin)}\n`,
    );
  });

  it('keeps every character, and warns of columns that have numbers and texts', async () => {
    const file = temporaryFile('hosts.csv', 'name,variables.kernel\nweb-1,6.8\nweb-2,6.10\n');
    const { stderr } = await muster(admin, ['import', file, '--yes']);
    expect(stderr).toBe(
      `Warning: variables.kernel: 6.8 (${file}, line 2) is a number, but 6.10 (${file}, line 3) is a text. ` +
        'A comparison finds either texts or numbers. If all are texts, name the column variables.kernel:text.\n' +
        `${await revertHint(admin)}\n`,
    );
    expect(await exportLines(admin, '?kind=host')).toMatchObject([
      { variables: { kernel: 6.8 } },
      { variables: { kernel: '6.10' } },
    ]);
  });

  it('counts the texts that new hosts get where others have numbers, also in batches', async () => {
    await printed(admin, ['vars', 'set', 'host', 'web-1', 'kernel:=6.8']);
    const rows = ['6.8', '6.110', '6.9', '6.120'].map(
      (kernel, i) => `new-${String(i)},north,10.1.2.${String(i)},server,${kernel}\n`,
    );
    const file = temporaryFile(
      'hosts.csv',
      `name,region,ip_address,device_type,variables.kernel\n${rows.join('')}`,
    );
    const warning =
      `variables.kernel: 2 values are texts, such as 6.110 (${file}, line 3), but 2 values are numbers or booleans, ` +
      `such as 6.8 (${file}, line 2). A comparison finds either texts or numbers. If all are texts, ` +
      'name the column variables.kernel:text.';
    const question = await muster(admin, ['import', file]);
    expect(question).toMatchObject({ code: 2, stdout: '' });
    expect(question.stderr).toContain(`\n  ${warning}\n  Nothing was changed.`);
    const { code, stderr } = await muster(admin, ['import', file, '--yes', '--batch', '2']);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Warning: ${warning}\n`)]);
  });

  describe('in batches of which the first has only numbers, as the project has', () => {
    const rows = ['6.8', '6.9', '6.110', '6.7', '6.120', '6.6'].map(
      (kernel, i) => `new-${String(i)},north,10.1.2.${String(i)},server,${kernel}\n`,
    );
    const file = temporaryFile(
      'hosts.csv',
      `name,region,ip_address,device_type,variables.kernel\n${rows.join('')}`,
    );
    const inBatches = ['import', file, '--yes', '--batch', '2'];

    beforeEach(() => printed(admin, ['vars', 'set', 'host', 'web-1', 'kernel:=6.8']));

    it('says that counts are lower bounds', async () => {
      const { code, stderr } = await muster(admin, inBatches);
      const warning =
        `Warning: variables.kernel: at least 2 values are texts, such as 6.110 (${file}, line 4), ` +
        `but at least 2 values are numbers or booleans, such as 6.7 (${file}, line 5). `;
      expect([code, stderr]).toEqual([0, expect.stringContaining(warning)]);
    });

    it('marks them in JSON', async () => {
      const { unusual_types } = JSON.parse(await printed(admin, [...inBatches, '-o', 'json'])) as {
        unusual_types: object[];
      };
      expect(unusual_types).toEqual([
        {
          ...{ key: 'kernel', file, line: 4, cell: '6.110', type: 'string', count: 2 },
          others: { file, line: 5, cell: '6.7', type: 'number', count: 2 },
          is_lower_bound: true,
        },
      ]);
    });
  });

  it('asks before a new host gets a number where others have texts, and names the column that has texts', async () => {
    await printed(admin, ['vars', 'set', 'host', 'web-1', 'kernel=6.8.0-45']);
    const tableOf = (column: string) =>
      `name,region,ip_address,device_type,variables.${column}\nweb-3,north,10.1.1.3,server,6.8\n`;
    const file = temporaryFile('hosts.csv', tableOf('kernel'));
    const warning = `variables.kernel: 6.8 (${file}, line 2) is a number, but others are texts. A comparison finds either texts or numbers. If all are texts, name the column variables.kernel:text.`;
    const question = await muster(admin, ['import', file]);
    expect(question).toMatchObject({ code: 2, stdout: '' });
    expect(question.stderr).toContain(`\n  ${warning}\n  Nothing was changed.`);
    expect((await muster(admin, ['import', file, '--dry-run'])).stderr).toBe(`Warning: ${warning}\n`);
    await printed(admin, ['import', temporaryFile('texts.csv', tableOf('kernel:text'))]);
    expect((await exportLines(admin, '?name=web-3'))[0]).toMatchObject({ variables: { kernel: '6.8' } });
    const json = JSON.parse(await printed(admin, ['import', file, '--dry-run', '-o', 'json'])) as object;
    expect(json).toMatchObject({ type_changes_total: 1, unusual_types: [] });
    const other = temporaryFile('others.csv', tableOf('kernel').replace('web-3', 'web-4'));
    expect(JSON.parse(await printed(admin, ['import', other, '--dry-run', '-o', 'json']))).toMatchObject({
      unusual_types: [{ file: other, line: 2, key: 'kernel', cell: '6.8', type: 'number', count: 1 }],
    });
  });

  it('asks before it makes a variable that is easily mistaken for another one', async () => {
    await printed(admin, ['vars', 'set', 'host', 'web-1', 'kernel=6.8.0-45']);
    const file = temporaryFile('hosts.csv', 'name,variables.Kernel\nweb-2,6.8.0-45\n');
    const warning =
      'variables.Kernel would be a new variable. Did you mean kernel? Then name the column variables.kernel.';
    expect(await muster(admin, ['import', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`\n  ${warning}\n  Nothing was changed.`) as string,
    });
    const { stdout, stderr } = await muster(admin, ['import', file, '--dry-run', '-o', 'json']);
    expect([JSON.parse(stdout), stderr]).toMatchObject([
      { similar_keys: [{ key: 'Kernel', similar_to: 'kernel' }] },
      '',
    ]);
    expect((await muster(admin, ['import', file, '--yes'])).stderr).toContain(`Warning: ${warning}\n`);
  });

  it('names the column that has texts where a definition demands them', async () => {
    const definition = { key: 'kernel', schema: { type: 'string' } };
    await admin.post('/v1/variable-definitions', definition).expect(201);
    const file = temporaryFile('hosts.csv', 'name,variables.kernel\nweb-1,6.8\n');
    const { code, stderr } = await muster(admin, ['import', file]);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /variables\.kernel: must be string .*\n {2}request id: \S+\n {2}For texts, name the column variables\.kernel:text\.\n$/,
    );
    await printed(admin, ['import', temporaryFile('texts.csv', 'name,variables.kernel:text\nweb-1,6.8\n')]);
  });

  it('asks before a list is replaced by a cell that is no valid JSON, and says how lists are written', async () => {
    await printed(admin, ['vars', 'set', 'host', 'web-1', 'ntp:=["10.1.0.7"]']);
    const file = temporaryFile('hosts.csv', 'name,variables.ntp\nweb-1,[10.1.0.7]\nweb-2,[10.1.0.8\n');
    const warning =
      `variables.ntp: 2 values are texts, such as [10.1.0.7] (${file}, line 2), because they are not valid JSON. ` +
      'Write a list or object as JSON: ["a", "b"]. If all are texts, name the column variables.ntp:text.';
    const question = await muster(admin, ['import', file]);
    expect(question).toMatchObject({ code: 2, stdout: '' });
    expect(question.stderr).toContain(`\n  ${warning}\n  Nothing was changed.`);
    expect((await muster(admin, ['import', file, '--dry-run'])).stderr).toBe(
      'Warning: the types or digits of 1 value would change:\n' +
        `  ${file}, line 2: web-1: ntp would change from an array to a string\n` +
        `Write a list or object as JSON: ["a", "b"].\nWarning: ${warning}\n`,
    );
    const { code, stdout } = await muster(admin, ['import', file, '--yes', '--batch', '1', '-o', 'json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { unusual_types: [{ key: 'ntp', reason: 'invalid_json', line: 2, count: 2 }] },
    ]);
  });

  it('removes values, warns of changed types, and says which cells changed nothing', async () => {
    const file = temporaryFile('hosts.csv', table);
    const dryRun = await muster(admin, ['import', file, '--dry-run']);
    expect(dryRun.stderr).toBe(
      'Warning: the types or digits of 1 value would change:\n' +
        `  ${file}, line 2: web-1: version would change from a string to a number\n` +
        'For texts, name the column variables.version:text.\n' +
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
        'For texts, name the column variables.version:text.\n' +
        `5 empty cells changed nothing: write (unset) to remove a value.\n${await revertHint(admin)}\n`,
    );
    expect((await exportLines(admin, '?name=web-1'))[0]).toMatchObject({
      note: 'a note',
      variables: { version: 10.1, a: 'x' },
    });
  });

  it('reports the same as JSON, and for batches', async () => {
    const file = temporaryFile('hosts.csv', table);
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
