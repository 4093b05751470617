import fc from '../support/property-testing';
import { parse } from 'csv-parse/sync';
import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { exportLines, exportTable, type ExportedLine } from '../support/export-reader';
import { inParallel } from '../support/fleet';
import { sendImport } from '../support/importing';

const MEMBERS = 'name,region,cell,parent,ip_address,device_type,active,note,labels';

/** Problematic contents of CSV cells: JSON, formulas, and separators of cells and records. */
const trickyTexts = fc.constantFrom(
  ...[
    '',
    ' ',
    '1',
    '-1',
    '1e3',
    '1.10',
    '01',
    'true',
    'TRUE',
    'null',
    '"',
    '""',
    '"a"',
    '[1]',
    '[1',
    '{}',
    '{',
  ],
  ...['=1+1', '+1', '-x', '@x', ' =1', '\t1', '\r', '\n', 'a\r\nb', ',', ';', 'a,b;c', '\ufeffx', '＝1'],
  ...['10.0.0.1', 'zwölf', '\u{1f600}', 'x ', "'x", '\u2028', 'x;=1', 'x\t"-1', '(unset)', '"(unset)"'],
);
const texts = fc.oneof(
  trickyTexts,
  fc.tuple(trickyTexts, trickyTexts).map(([a, b]) => a + b),
);
const values = fc.oneof(
  { weight: 3, arbitrary: texts },
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e21, [], {}, [null, 'a\nb'], { a: { b: '=' } }),
);
const isNull = (value: unknown): boolean => value === null;

/** A line as in a CSV table, which omits nulls, empty objects and empty label sets. */
const asTableLine = (line: ExportedLine): ExportedLine =>
  Object.fromEntries(
    Object.entries(line).filter(
      ([name, value]) =>
        !isNull(value) && JSON.stringify([name, value]) !== '["labels",[]]' && !isEmpty(value),
    ),
  );
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

describe('an export of hosts as CSV', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  it('has a column for each member and for each variable', async () => {
    const region = await admin.region({ name: 'eqiad', variables: { ntp: ['10.0.0.1'], b: 1 } });
    const cell = await admin.cell({ name: 'rack-1', region_id: region.id });
    const parent = await admin.networkDevice({ name: 'sw1', region_id: region.id, variables: { other: 1 } });
    const location = { region_id: region.id, cell_id: cell.id, parent_id: parent.id };
    await admin.host({
      name: 'node1',
      ...location,
      labels: 'web,db',
      note: 'a "note"',
      variables: { rack: 4, a: '4' },
    });
    await admin.host({ name: 'node2', region_id: region.id, active: false, variables: { b: null } });
    expect((await exportTable(admin)).split('\r\n')).toEqual([
      `${MEMBERS},variables.a,variables.b,variables.rack`,
      'node1,eqiad,rack-1,sw1,10.0.0.1,server,true,"a ""note""","db,web","""4""",,4',
      'node2,eqiad,,,10.0.0.1,server,false,,,,null,',
      '',
    ]);
    expect((await exportTable(admin, '?resolved-values=true')).split('\r\n')).toEqual([
      `${MEMBERS},variables.a,variables.b,variables.ntp,variables.rack`,
      'node1,eqiad,rack-1,sw1,10.0.0.1,server,true,"a ""note""","db,web","""4""",1,"[""10.0.0.1""]",4',
      'node2,eqiad,,,10.0.0.1,server,false,,,,null,"[""10.0.0.1""]",',
      '',
    ]);
  });

  it('is also selected by a parameter, which overrides the header', async () => {
    await admin.host({ name: 'host' });
    const table = await exportTable(admin);
    expect((await admin.get('/v1/export?format=csv').expect(200)).text).toBe(table);
    expect((await admin.get('/v1/export?format=csv&kind=host').expect(200)).text).toBe(table);
    const lines = await admin.get('/v1/export?format=ndjson', { Accept: 'text/csv' }).expect(200);
    expect(lines.headers['content-type']).toBe('application/x-ndjson');
    const excluded = await admin.get('/v1/export', { Accept: 'text/csv;q=0, */*' }).expect(200);
    expect(excluded.headers['content-type']).toBe('application/x-ndjson');
  });

  it('contains only the header row if there are no hosts', async () => {
    await admin.networkDevice({ variables: { a: 1 } });
    expect(await exportTable(admin)).toBe(`${MEMBERS}\r\n`);
    expect(await exportTable(admin, '?resolved-values=true')).toBe(`${MEMBERS}\r\n`);
  });

  it('has only the variable columns of the selected hosts', async () => {
    await admin.host({ name: 'a', variables: { a: 1, shared: 1 } });
    await admin.host({ name: 'b', variables: { b: 1, shared: 2 } });
    const found = await exportTable(admin, `?vars=${encodeURIComponent('shared:2')}`);
    expect(found.split('\r\n')[0]).toBe(`${MEMBERS},variables.b,variables.shared`);
    expect(found.split('\r\n')).toHaveLength(3);
  });

  it('keeps every digit but zeros at the end of a fraction, which would make a text of the number', async () => {
    const { id } = await admin.host({ name: 'host' });
    await admin.put(`/v1/hosts/${String(id)}/variables`, '{"n":9007199254740993,"m":-1.10}').expect(200);
    expect(await exportTable(admin)).toMatch(/,-1\.1,9007199254740993\r\n$/);
  });

  it('has no cell that a spreadsheet evaluates as a formula', async () => {
    const variables = Object.fromEntries(
      ['=1', '+1', '-x', '@x', '\t=1', ' =1', '＝1'].map((text, i) => [`v${String(i)}`, text]),
    );
    await admin.host({ name: '=host', note: '@note', labels: '-label', variables });
    const records: string[][] = parse(await exportTable(admin));
    const [, record = []] = records;
    expect(record[0]).toBe('"=host"');
    for (const cell of record) expect(cell).not.toMatch(/^[\s=+\-@＝]/);
  });

  /** Texts that become a formula if the separator is not a comma, or if only commas separate cells. */
  const SEPARATED = [
    'x;=1+1',
    'x; @a',
    'x;"=1+1;',
    'x\t+1',
    'x\n=1',
    'x\r"-1',
    'x;\t\n＝1',
    ';=a"b',
    "x;'=1",
  ];

  it('has no cell that becomes a formula if semicolons or tabs separate cells', async () => {
    const variables = Object.fromEntries(SEPARATED.map((text, i) => [`v${String(i)}`, text]));
    await admin.host({
      name: 'x;=1+1',
      note: 'x;=1+1\n=2',
      labels: ['a', 'b;=1', ' c;@x'],
      variables: { ...variables, nested: { list: SEPARATED, ';=1': -1 } },
    });
    const table = await exportTable(admin);
    // The strictest reading: quotes do not group, as if they were not at the start of a cell.
    for (const cell of table.split(/[;\t\r\n]/)) expect(cell).not.toMatch(/^[\s"]*[=+\-@＝]/);
  });

  it('quotes cells that contain other separators', async () => {
    await admin.host({ name: 'a;b', note: 'c\td' });
    expect(await exportTable(admin)).toMatch(/\r\n"a;b",.*,"c\td",\r\n$/);
  });

  it('is imported unchanged, regardless of separators and formula prefixes', async () => {
    const texts = [...SEPARATED, '=1', "'=1", "'x", '"x"', 'a "b"', '\tx', '\\u003d', 'x;\\u003d1', 'x;y'];
    await inParallel(texts, (text) =>
      admin.host({
        name: `${text.replaceAll(/[\t\r\n]/g, ' ').trim()} ${String(texts.indexOf(text))}`,
        note: text,
        labels: [`${text.replaceAll(/[,\t\r\n]/g, '')};=label`],
        variables: { text, nested: { [text]: [text] } },
      }),
    );
    const { id } = await admin.host({ name: 'numbers' });
    await admin.put(`/v1/hosts/${String(id)}/variables`, '{"n":6.10,"t":"6.10","z":1.0}').expect(200);
    const lines = await exportLines(admin);
    const table = await exportTable(admin);
    const csv = { 'Content-Type': 'text/csv' };
    const { body } = await sendImport(admin, table, '', csv).expect(200);
    expect(body).toMatchObject({ created: 0, updated: 0, unchanged: texts.length + 1, failed: 0 });
    // The same table as written by a spreadsheet with semicolons as separators.
    const records: string[][] = parse(table);
    const quoted = records.map((record) => record.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';'));
    const again = await sendImport(admin, quoted.join('\r\n'), '', csv).expect(200);
    expect(again.body).toMatchObject({ created: 0, updated: 0, unchanged: texts.length + 1, failed: 0 });
    expect(await exportLines(admin)).toEqual(lines);
  });

  it('is imported unchanged, with random contents', async () => {
    const hosts = fc.sample(
      fc.record({
        note: fc.option(texts.filter((text) => text !== '')),
        labels: fc.subarray([
          'a',
          '=b',
          'null',
          '(unset)',
          '"c"',
          ' d',
          '1',
          '["e"]',
          '[f',
          'g]',
          'i\u00a0j',
          ' =h ',
        ]),
        variables: fc.dictionary(fc.constantFrom('a', 'b', 'x-y', '__proto__', 'ключ'), values),
      }),
      { numRuns: 60, seed: 4 },
    );
    const region = await admin.region({ name: 'null' });
    const cell = await admin.cell({ name: '"1"', region_id: region.id });
    const bodies = hosts.map((host, i) => ({
      ...host,
      name: `${i % 3 === 0 ? '=' : '"'}${String(i)}`,
      region_id: region.id,
      cell_id: i % 2 === 0 ? cell.id : null,
      ip_address: '10.0.0.1',
      device_type: 'server',
    }));
    await admin.post('/v1/hosts', bodies).expect(201);
    for (const query of ['?kind=host', '?kind=host&resolved-values=true']) {
      const copy = await app.project();
      const { id: region_id } = await copy.region({ name: 'null' });
      await copy.cell({ name: '"1"', region_id });
      const table = await exportTable(admin, query);
      await sendImport(copy, table, '', { 'Content-Type': 'text/csv' }).expect(200);
      const [copied, exported] = [await exportLines(copy, '?kind=host'), await exportLines(admin, query)];
      expect(copied.map(asTableLine)).toEqual(exported.map(asTableLine));
    }
  });

  it('is rejected if it has more columns than spreadsheets support', async () => {
    const keysOf = (from: number) =>
      Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`k${String(from + i)}`, 1]));
    await admin.host({ variables: keysOf(0) });
    await exportTable(admin);
    await admin.host({ variables: keysOf(9_000) });
    const { body } = await admin.get('/v1/export?format=csv').expect(405);
    expect(body).toMatchObject({ code: 'validation_exception', details: [{ field: 'format' }] });
    expect((body as Resource)['message']).toContain('18000');
  });
});
