import { gzipSync } from 'node:zlib';
import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { asLines, importLines, sendImport, type ImportSummary } from '../support/importing';

const app = sharedService();
let caller: Caller;

beforeEach(async () => {
  caller = await app.project();
});

const names = async (collection: string, user = caller): Promise<string[]> =>
  ((await user.get(`/v1/${collection}`).expect(200)).body as Resource[]).map(({ name }) => name);
const region = { kind: 'region', name: 'r1' };
const host = { kind: 'host', name: 'h1', region: 'r1', ip_address: '10.0.0.1', device_type: 'server' };

describe('an import body', () => {
  it('may be compressed', async () => {
    await sendImport(caller, gzipSync(asLines([region])), '', { 'Content-Encoding': 'gzip' }).expect(200);
    expect(await names('regions')).toEqual(['r1']);
  });

  it('is rejected if it does not match its Content-Encoding', async () => {
    const whole = gzipSync(asLines([region]));
    for (const body of [Buffer.from('x'), whole.subarray(0, whole.length - 9)])
      await sendImport(caller, body, '', { 'Content-Encoding': 'gzip' }).expect(400);
    await sendImport(caller, 'x', '', { 'Content-Encoding': 'zstd' }).expect(415);
    expect(await names('regions')).toEqual([]);
  });

  it('may have a byte order mark, CRLF line ends, and no line end after the last line', async () => {
    const body = `\uFEFF${JSON.stringify(region)}\r\n\r\n${JSON.stringify(host)}`;
    const response = await sendImport(caller, body).expect(200);
    expect(response.body).toMatchObject({ created: 2 });
  });

  it('may be empty', async () => {
    expect(await importLines(caller, [])).toMatchObject({ created: 0, failed: 0 });
  });

  it('needs a supported Content-Type', async () => {
    for (const type of ['application/json', 'text/plain', 'application/x-ndjson; charset=latin1'])
      await sendImport(caller, asLines([region]), '', { 'Content-Type': type }).expect(415);
    await sendImport(caller, asLines([region]), '', {
      'Content-Type': 'application/jsonl; charset=utf-8',
    }).expect(200);
  });

  it('is rejected if a line is not UTF-8, with the line number', async () => {
    const body = Buffer.concat([Buffer.from(asLines([region])), Buffer.from([0x22, 0xff, 0x22, 0x0a])]);
    const response = await sendImport(caller, body).expect(400);
    expect(response.body).toMatchObject({ errors: [{ line: 2, code: 'invalid_request' }] });
  });

  it('may be a CSV table of hosts', async () => {
    await importLines(caller, [region, { ...host, name: 'sw' }]);
    const table = [
      'name;region;parent;ip_address;device_type;labels;variables.a',
      // A cell with a line end: the next line of the table is the fourth of the text.
      'h1;r1;sw;10.0.0.1;server;"web,x";"{""b"":\n1}"',
      'h2;r2;;10.0.0.2;server;;',
    ];
    const send = (query: string) =>
      sendImport(caller, table.join('\n'), query, { 'Content-Type': 'text/csv' });
    const response = await send('?mode=partial').expect(200);
    expect(response.body).toMatchObject({
      created: 1,
      failed: 1,
      errors: [{ line: 4, code: 'validation_exception' }],
    });
    const [h1] = (await caller.get('/v1/hosts?name=h1').expect(200)).body as Resource[];
    expect(h1).toMatchObject({ labels: 'web,x', variables: { a: { b: 1 } } });
    await sendImport(caller, 'nonsense\n1\n', '', { 'Content-Type': 'text/csv' }).expect(400);
  });

  it('may be a CSV table, in which a cell nested too deeply is rejected with its line', async () => {
    const table = `name,region,variables.a\nh1,r1,${'['.repeat(1_000_000)}\n`;
    const response = await sendImport(caller, table, '', { 'Content-Type': 'text/csv' });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      errors: [{ line: 2, message: 'The line is nested more than 100 levels deep.' }],
    });
  });

  it('is rejected as a whole if it is not CSV, with the errors found so far', async () => {
    const prefix = 'name,region\nh1,r1\nh1,r1\nh2\n';
    const send = (table: string | Buffer) =>
      sendImport(caller, table, '?mode=partial', { 'Content-Type': 'text/csv' }).expect(400);
    const none = { created: 0, updated: 0, unchanged: 0 };
    const columns = await send('name,rack\nh1,4\n');
    expect(columns.body).toMatchObject({ ...none, failed: 0, errors: [], details: [{ field: 'columns' }] });
    for (const table of [`${prefix}h3,"`, Buffer.from(`${prefix}h3,\xe4\n`, 'latin1')]) {
      const { body } = await send(table);
      expect(body).toMatchObject({ ...none, code: 'invalid_request', details: [{ field: 'body' }] });
      expect((body as ImportSummary).errors).toHaveLength((body as ImportSummary).failed);
    }
    const cells = await sendImport(caller, prefix, '', { 'Content-Type': 'text/csv' }).expect(400);
    expect(cells.body).toMatchObject({
      ...none,
      failed: 3,
      errors: [
        { line: 2, code: 'invalid_request' },
        { line: 3, code: 'conflict' },
        { line: 4, code: 'invalid_request' },
      ],
    });
  });
});

describe('parameters', () => {
  it('are validated', async () => {
    for (const query of ['?mode=some', '?mode=all&mode=all', '?force=true', '?limit=10', '?dry_run=maybe'])
      await sendImport(caller, asLines([region]), query).expect(400);
    for (const value of ['-1', '1.5', '', 'x', '1000000000']) {
      const { body } = await sendImport(caller, asLines([region]), `?max_affected_devices=${value}`);
      expect(body.message).toBe('max_affected_devices: must be an integer from 0 to 999999999');
    }
    await sendImport(caller, asLines([region]), '?mode=all').expect(200);
  });

  it('dry_run=true writes nothing and reports the changes', async () => {
    await importLines(caller, [{ ...region, variables: { a: 1 } }, host]);
    const lines = [
      { ...region, variables: { a: 2 } },
      { ...host, name: 'h2', variables: { b: 1 } },
      { ...host, name: 'h3', region: 'x' },
    ];
    await sendImport(caller, asLines(lines), '?dry_run=true').expect(405);
    const { body } = await sendImport(caller, asLines(lines), '?dry_run=true&mode=partial').expect(200);
    expect(body).toMatchObject({
      dry_run: true,
      created: 1,
      updated: 1,
      failed: 1,
      impact: { devices: 2, keys: ['a', 'b'] },
    });
    expect(await names('hosts')).toEqual(['h1']);
    const records = (await caller.get('/v1/changes?sort_dir=desc&limit=1').expect(200)).body as {
      objects: unknown[];
    }[];
    expect(records[0]?.objects).toHaveLength(2);
  });

  it('Idempotency-Key imports the same body once', async () => {
    const send = (body: string) => sendImport(caller, body, '', { 'Idempotency-Key': 'k' });
    const first = await send(asLines([region])).expect(200);
    const second = await send(asLines([region])).expect(200);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotency-replayed']).toBe('true');
    await send(asLines([region, host])).expect(409);
  });

  it('X-Change-Reason is required if the project requires reasons', async () => {
    await caller
      .put(`/v1/projects/${caller.projectId}/settings`, { change_reason: { required: true } })
      .expect(200);
    await sendImport(caller, asLines([region])).expect(400);
    await sendImport(caller, asLines([region]), '', { 'X-Change-Reason': 'because' }).expect(200);
  });
});

describe('roles', () => {
  const failures = async (user: Caller, lines: readonly object[]) => {
    const { body, status } = await sendImport(user, asLines(lines), '?mode=partial');
    return status === 200
      ? (body as { errors: { line: number; code: string }[] }).errors.map(
          ({ line, code }) => `${String(line)} ${code}`,
        )
      : status;
  };

  it('apply to each line as to a single write', async () => {
    await importLines(caller, [region, host]);
    const hosts = await caller.user({ roles: ['hosts:write'] });
    const other = { ...host, name: 'h2', labels: ['made'] };
    expect(await failures(hosts, [other, { kind: 'host', name: 'h1', note: 'x' }])).toEqual([]);
    expect(
      await failures(hosts, [
        { ...host, kind: 'network-device', name: 'n' },
        { kind: 'region', name: 'r1', note: 'x' },
      ]),
    ).toEqual(['1 forbidden', '2 forbidden']);
    const variables = await caller.user({ roles: ['a'] });
    expect(
      await failures(variables, [
        { kind: 'host', name: 'h1', variables: { a: 1 } },
        { kind: 'host', name: 'h2', variables: { b: 1 } },
        { kind: 'region', name: 'r1', variables: { a: 1 } },
        { kind: 'region', name: 'r2', variables: { a: 1 } },
        { kind: 'host', name: 'h3', note: 'x', variables: { a: 1 } },
      ]),
    ).toEqual(['2 forbidden', '4 forbidden', '5 forbidden']);
    expect(await failures(await caller.user(), [region])).toBe(403);
    expect(await names('regions')).toEqual(['r1']);
  });

  it('are required to write private variables', async () => {
    await caller.put(`/v1/projects/${caller.projectId}/settings`, { private: ['secret*'] }).expect(200);
    await importLines(caller, [{ ...region, variables: { secret_a: 1 } }, host]);
    const writer = await caller.user({ roles: ['*:write'] });
    expect(await failures(writer, [{ ...host, variables: { secret_b: 1 } }])).toEqual(['1 forbidden']);
    expect(await importLines(writer, [{ ...host, variables: { open: 1 } }])).toMatchObject({ updated: 1 });
  });

  it('do not apply to other projects', async () => {
    await importLines(caller, [region, host]);
    const other = await app.project();
    expect(await failures(other, [{ ...host, name: 'h2' }])).toEqual(['1 validation_exception']);
    expect(await importLines(other, [region, host])).toMatchObject({ created: 2 });
  });
});

describe('concurrent imports', () => {
  it('do not conflict with single writes of devices', async () => {
    await importLines(caller, [
      region,
      ...Array.from({ length: 40 }, (_, n) => ({ ...host, name: `h${String(n)}` })),
    ]);
    const devices = (await caller.get('/v1/hosts?limit=100').expect(200)).body as Resource[];
    const lines = devices
      .map(({ name }) => ({ kind: 'host', name, variables: { imported: true } }))
      .reverse();
    const singles = devices.map(({ id }) =>
      caller.put(`/v1/hosts/${String(id)}`, { note: 'x', variables: { single: true } }),
    );
    const [summary] = await Promise.all([
      importLines(caller, lines),
      ...singles.map((one) => one.expect(200)),
    ]);
    expect(summary).toMatchObject({ updated: 40 });
    const after = (await caller.get('/v1/hosts?limit=100').expect(200)).body as Resource[];
    for (const one of after)
      expect(one).toMatchObject({ note: 'x', version: 3, variables: { imported: true, single: true } });
  });
});
