import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { exportLines } from '../support/export-reader';
import { asLines, importLines, sendImport } from '../support/importing';

const app = sharedService();
let admin: Caller;

const host = (name: string, more: object = {}) => ({
  ...{ kind: 'host', name, region: 'r1', ip_address: '10.0.0.1', device_type: 'server' },
  ...more,
});

beforeEach(async () => {
  admin = await app.project();
  await importLines(admin, [
    { kind: 'region', name: 'r1', variables: { a: 1 } },
    { kind: 'region', name: 'r2', variables: { secret: 1 } },
    { kind: 'cell', region: 'r1', name: 'c1' },
    host('h1', { cell: 'c1', variables: { b: 1 } }),
    host('h2', { variables: { b: 1 } }),
  ]);
});

it('records each created resource as it is shown, with its labels in the order of code points', async () => {
  const labels = ['zeta', '\u{1f600}', '\uffee', 'Alpha', 'zeta'];
  await importLines(admin, [
    { kind: 'region', name: 'r3', labels },
    { kind: 'cell', region: 'r3', name: 'c1', labels },
    { ...host('h3', { cell: 'c1', labels }), region: 'r3' },
    host('h4'),
  ]);
  const [record] = (await admin.get('/v1/changes?sort_dir=desc&limit=1').expect(200)).body as {
    objects: { kind: string; id: number; after: Resource }[];
  }[];
  const recorded = record?.objects.filter(({ kind }) => kind !== 'label') ?? [];
  const inOrder = 'Alpha,zeta,\uffee,\u{1f600}';
  expect(recorded.map(({ after }) => after['labels'])).toEqual([inOrder, inOrder, inOrder, '']);
  for (const { kind, id, after } of recorded)
    expect((await admin.get(`/v1/${kind}s/${String(id)}`).expect(200)).body).toMatchObject(after);
});

describe('max_affected_devices', () => {
  const moved = [
    { kind: 'region', name: 'r1', variables: { b: 1 } },
    { kind: 'host', name: 'h1', unset_variables: ['b'] },
    { kind: 'host', name: 'h2', unset_variables: ['b'] },
  ];
  const send = (lines: readonly object[], query: string, caller = admin) =>
    sendImport(caller, asLines(lines), `?${query}`);

  it('imports a change that affects no more devices', async () => {
    await send(moved, 'max_affected_devices=0').expect(200);
    expect((await exportLines(admin, '?kind=host')).map(({ variables }) => variables)).toEqual([{}, {}]);
    const { body } = await send(
      [{ kind: 'region', name: 'r1', variables: { b: 2 } }],
      'max_affected_devices=2',
    );
    expect(body).toMatchObject({ updated: 1 });
  });

  it.each(['', '&dry_run=true', '&mode=partial'])('rejects others%s, and writes nothing', async (query) => {
    const changes = async () => (await admin.get('/v1/changes').expect(200)).body as unknown[];
    const before = await changes();
    const { body } = await send(
      [...moved, host('h3'), { kind: 'region', name: 'r1', variables: { b: 2 } }].slice(1),
      `max_affected_devices=1${query}`,
    ).expect(409);
    const message = 'the resolved values of 3 devices would change, but at most 1 may';
    expect(body).toMatchObject({
      code: 'conflict',
      message: `max_affected_devices: ${message}`,
      details: [{ field: 'max_affected_devices', code: 'limit_exceeded', message }],
    });
    expect((await exportLines(admin, '?kind=host')).map(({ variables }) => variables)).toEqual([
      { b: 1 },
      { b: 1 },
    ]);
    expect(await changes()).toEqual(before);
  });

  it('disregards variables that the caller may not see', async () => {
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret'] }).expect(200);
    const writer = await admin.user({ roles: ['hosts:write'] });
    const move = [{ kind: 'host', name: 'h2', region: 'r2', variables: { a: 1 } }];
    await send(move, 'max_affected_devices=0').expect(409);
    await send(move, 'max_affected_devices=0&dry_run=true').expect(409);
    await send(move, 'max_affected_devices=0&dry_run=true', writer).expect(200);
    await send(move, 'max_affected_devices=0', writer).expect(200);
  });

  it('rejects what is no number of devices', async () => {
    for (const value of ['-1', '1.5', '', 'x', '1000000000']) {
      const { body } = await send(moved, `max_affected_devices=${value}`).expect(400);
      expect(body.message).toBe('max_affected_devices: must be an integer from 0 to 999999999');
    }
  });
});

describe('changes=true', () => {
  const results = async (lines: readonly object[], query: string, caller = admin): Promise<object[]> => {
    const { text } = await sendImport(caller, asLines(lines), query, {
      Accept: 'application/x-ndjson',
    }).expect(200);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
  };

  it.each(['?changes=true&dry_run=true', '?changes=true'])(
    'shows both sides of each change (%s)',
    async (query) => {
      const [before] = await exportLines(admin, '?kind=host&name=h2');
      const lines = [
        host('h1'),
        {
          kind: 'host',
          name: 'h2',
          cell: 'c1',
          labels: ['web'],
          variables: { c: null },
          unset_variables: ['b'],
        },
        host('h3', { active: false, parent: 'h2' }),
        { kind: 'label', label: 'db', variables: { x: 1.1 } },
      ];
      const found = await results(lines, query);
      expect(found[0]).toEqual({
        line: 1,
        result: 'unchanged',
        kind: 'host',
        id: expect.any(Number),
        name: 'h1',
      });
      expect(found[1]).toMatchObject({
        ...{ line: 2, result: 'updated', name: 'h2', before },
        after: { ...before, cell: 'c1', labels: ['web'], variables: { c: null } },
      });
      expect(found[2]).toMatchObject({
        ...{ line: 3, result: 'created' },
        after: {
          ...host('h3'),
          cell: null,
          parent: 'h2',
          active: false,
          note: null,
          labels: [],
          variables: {},
        },
      });
      expect(found[2]).not.toHaveProperty('before');
      expect(found[3]).toMatchObject({ result: 'created', after: { label: 'db', variables: { x: 1.1 } } });
      expect(found[4]).toMatchObject({ created: 2, updated: 1, unchanged: 1 });
    },
  );

  it('hides private variables', async () => {
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['b'] }).expect(200);
    const writer = await admin.user({ roles: ['hosts:write'] });
    const [updated] = await results(
      [{ kind: 'host', name: 'h1', note: 'n' }],
      '?changes=true&dry_run=true',
      writer,
    );
    expect(updated).toMatchObject({ before: { variables: {} }, after: { note: 'n', variables: {} } });
  });

  it('is absent by default', async () => {
    const [updated] = await results([{ kind: 'host', name: 'h1', note: 'n' }], '?dry_run=true');
    expect(updated).toEqual({
      line: 1,
      result: 'updated',
      kind: 'host',
      id: expect.any(Number),
      name: 'h1',
    });
  });
});

describe('if_version', () => {
  const versionOf = async (collection: string, name: string): Promise<number> => {
    const { body } = await admin.get(`/v1/${collection}?${name}`).expect(200);
    return (body as { version: number }[])[0]!.version;
  };
  const existing = {
    cloud: { kind: 'cloud', name: 'k', note: 'n' },
    label: { kind: 'label', label: 'l', variables: { a: 1 } },
    region: { kind: 'region', name: 'r1', note: 'n' },
    cell: { kind: 'cell', region: 'r1', name: 'c1', note: 'n' },
    host: { kind: 'host', name: 'h1', note: 'n' },
  };

  it.each([
    ['cloud', 'clouds', 'name=k'],
    ['label', 'labels', 'name=l'],
    ['region', 'regions', 'name=r1'],
    ['cell', 'cells', 'name=c1'],
    ['host', 'hosts', 'name=h1'],
  ] as const)('is the current version of a %s, or nothing is imported', async (kind, collection, query) => {
    await importLines(admin, [
      { kind: 'cloud', name: 'k' },
      { kind: 'label', label: 'l' },
    ]);
    const line = existing[kind];
    const version = await versionOf(collection, query);
    const { body } = await sendImport(
      admin,
      asLines([host('h9'), { ...line, if_version: version + 1 }]),
    ).expect(412);
    const message = `if_version: the ${kind} is at version ${String(version)} now`;
    expect(body).toMatchObject({
      ...{ code: 'version_mismatch', failed: 1 },
      errors: [{ line: 2, code: 'version_mismatch', message }],
    });
    expect(await importLines(admin, [{ ...line, if_version: version }])).toMatchObject({ updated: 1 });
    expect(await versionOf(collection, query)).toBe(version + 1);
    const partial = await importLines(admin, [host('h9'), { ...line, if_version: version }], '?mode=partial');
    expect(partial).toMatchObject({ created: 1, failed: 1 });
  });

  it.each(['r9', 'r1'])('is never that of a new resource (in the region %s)', async (region) => {
    const line = { kind: 'cell', region, name: 'c9', if_version: 1 };
    const { body } = await sendImport(admin, asLines([line])).expect(412);
    expect(body.errors[0].message).toBe('if_version: there is no cell with this name');
  });

  it('is a positive integer', async () => {
    for (const value of [0, 1.5, '1', null]) {
      const { body } = await sendImport(admin, asLines([{ ...existing.host, if_version: value }])).expect(
        400,
      );
      expect(body.message).toBe('line 1: if_version: must be a positive integer');
    }
  });

  it('needs no role of its own', async () => {
    const user = await admin.user({ roles: ['b'] });
    const line = {
      kind: 'host',
      name: 'h1',
      variables: { b: 2 },
      if_version: await versionOf('hosts', 'name=h1'),
    };
    expect(await importLines(user, [line])).toMatchObject({ updated: 1 });
  });
});

describe('if_id', () => {
  const line = { kind: 'host', name: 'h1', note: 'n' };
  const idOf = async (name: string): Promise<number> =>
    ((await admin.get(`/v1/hosts?name=${name}`).expect(200)).body as { id: number }[])[0]!.id;

  it('is the id of the resource with the name, or nothing is imported', async () => {
    const id = await idOf('h1');
    await admin.put(`/v1/hosts/${String(id)}`, { name: 'h0' }).expect(200);
    const renamed = await sendImport(admin, asLines([host('h9'), { ...line, if_id: id }])).expect(412);
    expect(renamed.body.errors).toMatchObject([
      { line: 2, code: 'version_mismatch', message: 'if_id: there is no host with this name' },
    ]);
    await importLines(admin, [host('h1')]);
    const other = await idOf('h1');
    const { body } = await sendImport(admin, asLines([host('h9'), { ...line, if_id: id }])).expect(412);
    expect(body.errors).toMatchObject([
      { line: 2, code: 'version_mismatch', message: `if_id: the host has the id ${String(other)} now` },
    ]);
    expect((await admin.get('/v1/hosts?name=h9').expect(200)).body).toEqual([]);
    expect(await importLines(admin, [{ ...line, if_id: other }])).toMatchObject({ updated: 1, created: 0 });
  });

  it('is a positive integer', async () => {
    for (const value of [0, '1', null]) {
      const { body } = await sendImport(admin, asLines([{ ...line, if_id: value }])).expect(400);
      expect(body.message).toBe('line 1: if_id: must be a positive integer');
    }
  });
});
