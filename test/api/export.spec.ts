import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { exportLines, exportTexts, type ExportedLine } from '../support/export-reader';

const namesOf = (lines: readonly ExportedLine[]) =>
  lines.map(({ kind, name, label }) => [kind, name ?? label]);

describe('an export', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  /** Creates one resource of every kind. The parent is created after its child. */
  async function oneOfEach() {
    await admin.cloud({ name: 'cloud', note: 'a note' });
    const [cloud] = (await admin.get('/v1/clouds').expect(200)).body as [Resource];
    await admin.label({ label: 'web', variables: { port: 443 } });
    const region = await admin.region({
      name: 'region',
      cloud_id: cloud.id,
      labels: 'b,a',
      variables: { ntp: ['10.0.0.1'] },
    });
    const cell = await admin.cell({ name: 'cell', region_id: region.id, variables: { row: 4 } });
    const secret = await admin.secret({ cert: 'a certificate' });
    const location = { region_id: region.id, cell_id: cell.id };
    const host = await admin.host({
      name: 'host',
      ...location,
      ip_address: '2001:db8::1',
      note: 'zwölf',
      labels: 'web',
      active: false,
      access_secret_id: secret.id,
      variables: { row: 5, own: null },
    });
    const parent = await admin.networkDevice({
      name: 'switch',
      ...location,
      model_name: 'QFX5120',
      vlans: [{ id: 100 }, 'all'],
    });
    await admin.put(`/v1/hosts/${String(host.id)}`, { parent_id: parent.id }).expect(200);
    return { region, cell, host, parent };
  }

  it('contains every resource, with names as references, in order of dependency', async () => {
    await oneOfEach();
    const device = { region: 'region', cell: 'cell', ip_address: '10.0.0.1', device_type: 'server' };
    expect(await exportLines(admin)).toEqual([
      { kind: 'cloud', name: 'cloud', note: 'a note' },
      { kind: 'label', label: 'web', variables: { port: 443 } },
      { kind: 'label', label: 'a', variables: {} },
      { kind: 'label', label: 'b', variables: {} },
      {
        kind: 'region',
        name: 'region',
        cloud: 'cloud',
        note: null,
        labels: ['a', 'b'],
        variables: { ntp: ['10.0.0.1'] },
      },
      { kind: 'cell', region: 'region', name: 'cell', note: null, labels: [], variables: { row: 4 } },
      {
        kind: 'host',
        name: 'host',
        ...device,
        ip_address: '2001:db8::1',
        parent: 'switch',
        active: false,
        note: 'zwölf',
        labels: ['web'],
        variables: { row: 5, own: null },
      },
      {
        kind: 'network-device',
        name: 'switch',
        ...device,
        parent: null,
        active: true,
        note: null,
        labels: [],
        model_name: 'QFX5120',
        os_version: null,
        vlans: [{ id: 100 }, 'all'],
        variables: {},
      },
    ]);
  });

  it('has the headers of its format', async () => {
    await admin.region();
    const { headers } = await admin.get('/v1/export').expect(200);
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="muster.ndjson"',
      vary: 'Prefer, Accept',
    });
    const { headers: csvHeaders } = await admin.get('/v1/export?format=csv').expect(200);
    expect(csvHeaders).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="muster-hosts.csv"',
    });
  });

  it('is empty for an empty project', async () => {
    expect(await exportTexts(admin)).toEqual([]);
  });

  it('keeps every digit of numbers, and any key name', async () => {
    const text = '{"big":9007199254740993,"exact":1.10,"__proto__":{"constructor":-0.0}}';
    const { id } = await admin.host();
    await admin.put(`/v1/hosts/${String(id)}/variables`, text).expect(200);
    const [line] = await exportTexts(admin, '?kind=host');
    const own = (await admin.get(`/v1/hosts/${String(id)}/variables`).expect(200)).text;
    expect(line).toContain(own.slice(1, -1));
    expect(line).toContain('9007199254740993');
    expect(line).toContain('1.10');
  });

  it('contains no ids, timestamps, versions or secrets', async () => {
    const { host } = await oneOfEach();
    const text = (await exportTexts(admin)).join('\n');
    expect(text).toContain('"name":"host"');
    for (const hidden of [host.uuid, admin.projectId, 'certificate', '"version"', '_at"', '_id"', '"id":1}'])
      expect(text).not.toContain(hidden);
  });

  it('contains resolved values on request', async () => {
    await oneOfEach();
    const lines = await exportLines(admin, '?resolved-values=true');
    const variablesOf = (name: string) => lines.find((line) => line['name'] === name)?.['variables'];
    expect(variablesOf('region')).toEqual({ ntp: ['10.0.0.1'] });
    expect(variablesOf('cell')).toEqual({ ntp: ['10.0.0.1'], row: 4 });
    expect(variablesOf('host')).toEqual({ ntp: ['10.0.0.1'], port: 443, row: 5, own: null });
    expect(variablesOf('switch')).toEqual({ ntp: ['10.0.0.1'], row: 4 });
  });

  it.each([true, false])(
    'agrees with the host list for many hosts, with resolved-values=%s',
    async (resolved) => {
      const regions = await Promise.all(
        [1, 2, 3].map((a) => admin.region({ variables: { a, long: 'x'.repeat(a * 10_000) } })),
      );
      const bodies = Array.from({ length: 130 }, (_, i) => ({
        name: aName('host'),
        region_id: regions[i % 3]?.id,
        ip_address: '10.0.0.1',
        device_type: 'server',
        variables: i % 4 < 2 ? { b: 'y'.repeat((i * 7_919) % 60_000) } : {},
      }));
      await admin.post('/v1/hosts', bodies).expect(201);
      const query = `?resolved-values=${String(resolved)}`;
      const { body } = await admin.get(`/v1/hosts${query}`).expect(200);
      const expected = (body as Resource[]).map(({ name, variables }) => ({ name, variables }));
      const lines = await exportLines(admin, `${query}&kind=host`);
      expect(lines.map(({ name, variables }) => ({ name, variables }))).toEqual(expected);
    },
  );

  it('contains only the requested kinds', async () => {
    await oneOfEach();
    expect(namesOf(await exportLines(admin, '?kind=host'))).toEqual([['host', 'host']]);
    expect(namesOf(await exportLines(admin, '?kind=cell&kind=network-device&kind=cell'))).toEqual([
      ['cell', 'cell'],
      ['network-device', 'switch'],
    ]);
  });

  it('contains only the devices that match the filters', async () => {
    const { region, parent } = await oneOfEach();
    const other = await admin.host({ name: 'other', variables: { row: 4 } });
    const found = async (query: string) => namesOf(await exportLines(admin, query));
    const both = [
      ['host', 'host'],
      ['network-device', 'switch'],
    ];
    expect(await found(`?region_id=${String(region.id)}`)).toEqual(both);
    expect(await found(`?region_id=${String(region.id)}&kind=network-device`)).toEqual([both[1]]);
    expect(await found('?label=web')).toEqual([both[0]]);
    expect(await found('?name=other')).toEqual([['host', other.name]]);
    expect(await found(`?vars=${encodeURIComponent('row:4')}`)).toEqual([both[1], ['host', 'other']]);
    expect(
      await found(`?vars=${encodeURIComponent('row:4')}&vars=${encodeURIComponent('ntp:"10.0.0.1"')}`),
    ).toEqual([both[1]]);
    expect(await found('?name=switch&descendants=true')).toEqual(both);
    expect(await found('?name=switch&descendants=true&kind=host')).toEqual([both[0]]);
    expect(await found(`?parent_id=${String(parent.id)}&active=true`)).toEqual([]);
  });

  it.each([
    ['kind=hosts', 'kind'],
    ['kind=user', 'kind'],
    ['kind=host&kind=', 'kind'],
    ['format=xml', 'format'],
    ['format=csv&format=csv', 'format'],
    ['format=csv&kind=region', 'kind'],
    ['label=web&kind=region', 'kind'],
    ['resolved-values=1', 'resolved-values'],
    ['limit=10', 'limit'],
    ['fields=name', 'fields'],
    ['project_id=717e9a21-6e2d-44e0-bc84-8398563bda06', 'project_id'],
    ['region_id=x', 'region_id'],
    ['vars=a', 'vars'],
    ['descendants=1', 'descendants'],
    ['dry_run=true', 'dry_run'],
  ])('refuses %s', async (query, field) => {
    const { body } = await admin.get(`/v1/export?${query}`).expect(400);
    expect(body).toMatchObject({ code: 'invalid_request', details: [{ field }] });
  });

  it('returns 404 for a filter by a resource that the caller cannot see', async () => {
    const foreign = await (await app.project()).region();
    for (const id of [foreign.id, 987654321]) {
      const response = await admin.get(`/v1/export?region_id=${String(id)}`).expect(404);
      expect(response.get('content-type')).toMatch('json');
    }
  });

  it('covers only the project of the request, also for root', async () => {
    await admin.region({ name: 'here' });
    const other = await app.project();
    await other.region({ name: 'there' });
    expect(namesOf(await exportLines(admin))).toEqual([['region', 'here']]);
    expect(namesOf(await exportLines(app.root.in(other.projectId)))).toEqual([['region', 'there']]);
  });

  it('supports HEAD without building the export', async () => {
    await admin.region();
    const { headers, text } = await admin.send('head', '/v1/export').expect(200);
    expect(headers['content-type']).toBe('application/x-ndjson');
    expect(text).toBeFalsy();
  });

  it('returns the same errors for HEAD as for GET', async () => {
    for (const [query, status] of [
      ['region_id=987654321', 404],
      ['active=perhaps', 400],
    ] as const)
      for (const method of ['get', 'head'] as const)
        expect((await admin.send(method, `/v1/export?${query}`)).status).toBe(status);
  });

  describe('for a user without access to private variables', () => {
    let user: Caller;
    beforeEach(async () => {
      await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['hidden*'] }).expect(200);
      user = await admin.user({ roles: ['*:write', 'hidden_own'] });
      const region = await admin.region({ name: 'region', variables: { hidden_a: 1, open: 2 } });
      await admin.host({ name: 'host', region_id: region.id, variables: { hidden_own: 3, hidden_b: 4 } });
    });

    it('contains exactly the visible variables', async () => {
      const lines = await exportLines(user);
      expect(lines.map(({ name, variables }) => [name, variables])).toEqual([
        ['region', { open: 2 }],
        ['host', { hidden_own: 3 }],
      ]);
      const [, host] = await exportLines(user, '?resolved-values=true');
      expect(host?.['variables']).toEqual({ open: 2, hidden_own: 3 });
    });

    it('has no columns for private variables', async () => {
      for (const [query, columns] of [
        ['', ['hidden_own']],
        ['&resolved-values=true', ['hidden_own', 'open']],
      ] as const) {
        const { text } = await user.get(`/v1/export?format=csv${query}`).expect(200);
        const names = (text.split('\r\n')[0] ?? '').split(',').slice(9);
        expect(names).toEqual(columns.map((key) => `variables.${key}`));
      }
    });

    it('does not filter by private variables', async () => {
      expect(await exportLines(user, `?vars=${encodeURIComponent('hidden_b:4')}`)).toEqual([]);
      expect(await exportLines(admin, `?vars=${encodeURIComponent('hidden_b:4')}`)).toHaveLength(1);
    });
  });

  it('is readable by every user of the project, and by nobody else', async () => {
    await admin.region({ name: aName('region') });
    await (await admin.user()).get('/v1/export').expect(200);
    await admin.as({ token: '', user: '', project: '' }).get('/v1/export').expect(401);
  });
});
