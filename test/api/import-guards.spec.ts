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

  it('rejects others, and writes nothing', async () => {
    const changes = async () => (await admin.get('/v1/changes').expect(200)).body as unknown[];
    const before = await changes();
    const lines = [...moved, host('h3'), { kind: 'region', name: 'r1', variables: { b: 2 } }].slice(1);
    const message = 'the resolved values of 3 devices would change, but at most 1 may';
    for (const query of ['', '&dry_run=true', '&mode=partial']) {
      const { body } = await send(lines, `max_affected_devices=1${query}`).expect(409);
      expect(body).toMatchObject({
        code: 'conflict',
        message: `max_affected_devices: ${message}`,
        details: [{ field: 'max_affected_devices', code: 'limit_exceeded', message }],
      });
    }
    const hosts = await exportLines(admin, '?kind=host');
    expect(hosts.map(({ variables }) => variables)).toEqual([{ b: 1 }, { b: 1 }]);
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

  it('shows both sides of each change, also in a dry run', async () => {
    const [before] = await exportLines(admin, '?kind=host&name=h2');
    const changed = { cell: 'c1', labels: ['web'], variables: { c: null } };
    const lines = [
      host('h1'),
      { kind: 'host', name: 'h2', ...changed, unset_variables: ['b'] },
      host('h3', { active: false, parent: 'h2' }),
      { kind: 'label', label: 'db', variables: { x: 1.1 } },
    ];
    for (const query of ['?changes=true&dry_run=true', '?changes=true']) {
      const found = await results(lines, query);
      const unchanged = { line: 1, result: 'unchanged', kind: 'host', id: expect.any(Number), name: 'h1' };
      expect(found[0]).toEqual(unchanged);
      expect(found[1]).toMatchObject({
        ...{ line: 2, result: 'updated', name: 'h2', before },
        after: { ...before, ...changed },
      });
      expect(found[2]).toMatchObject({
        ...{ line: 3, result: 'created' },
        after: {
          ...host('h3'),
          ...{ cell: null, parent: 'h2', active: false, note: null, labels: [], variables: {} },
        },
      });
      expect(found[2]).not.toHaveProperty('before');
      expect(found[3]).toMatchObject({ result: 'created', after: { label: 'db', variables: { x: 1.1 } } });
      expect(found[4]).toMatchObject({ created: 2, updated: 1, unchanged: 1 });
    }
  });

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
    const { body } = await admin.get(`/v1/${collection}?name=${name}`).expect(200);
    return (body as { version: number }[])[0]!.version;
  };
  const existing = [
    ['clouds', { kind: 'cloud', name: 'k', note: 'n' }],
    ['labels', { kind: 'label', label: 'l', variables: { a: 1 } }],
    ['regions', { kind: 'region', name: 'r1', note: 'n' }],
    ['cells', { kind: 'cell', region: 'r1', name: 'c1', note: 'n' }],
    ['hosts', { kind: 'host', name: 'h1', note: 'n' }],
  ] as const;
  const versions = async (): Promise<number[]> => {
    const found: number[] = [];
    for (const [collection, line] of existing)
      found.push(await versionOf(collection, 'label' in line ? line.label : line.name));
    return found;
  };
  const withVersions = (of: readonly number[]) =>
    existing.map(([, line], i) => ({ ...line, if_version: of[i] }));

  it('is the current version of a resource of any kind, or nothing is imported', async () => {
    await importLines(admin, [
      { kind: 'cloud', name: 'k' },
      { kind: 'label', label: 'l' },
    ]);
    const current = await versions();
    const later = current.map((version) => version + 1);
    const { body } = await sendImport(admin, asLines([host('h9'), ...withVersions(later)])).expect(412);
    expect(body).toMatchObject({
      ...{ code: 'version_mismatch', failed: existing.length },
      errors: existing.map(([, { kind }], i) => ({
        ...{ line: i + 2, code: 'version_mismatch' },
        message: `if_version: the ${kind} is at version ${String(current[i])} now`,
      })),
    });
    const counts = { updated: existing.length, created: 0 };
    expect(await importLines(admin, withVersions(current))).toMatchObject(counts);
    expect(await versions()).toEqual(later);
    const partial = await importLines(admin, [host('h9'), ...withVersions(current)], '?mode=partial');
    expect(partial).toMatchObject({ created: 1, failed: existing.length });
  });

  it('is never that of a new resource', async () => {
    const lines = ['r9', 'r1'].map((region) => ({ kind: 'cell', region, name: 'c9', if_version: 1 }));
    const { body } = await sendImport(admin, asLines(lines)).expect(412);
    const message = 'if_version: there is no cell with this name';
    expect(body.errors).toMatchObject([{ message }, { message }]);
  });

  it('and if_id are positive integers', async () => {
    const invalid = ['if_version', 'if_id'].flatMap((member) =>
      [0, 1.5, '1', null].map((value) => ({ member, value })),
    );
    const lines = invalid.map(({ member, value }, i) => host(`h${String(i)}`, { [member]: value }));
    const { body } = await sendImport(admin, asLines(lines)).expect(400);
    expect(body.errors).toMatchObject(
      invalid.map(({ member }) => ({ message: `${member}: must be a positive integer` })),
    );
  });

  it('needs no role of its own', async () => {
    const user = await admin.user({ roles: ['b'] });
    const line = {
      kind: 'host',
      name: 'h1',
      variables: { b: 2 },
      if_version: await versionOf('hosts', 'h1'),
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
});
