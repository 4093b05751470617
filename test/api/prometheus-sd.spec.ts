import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';

interface Target {
  readonly targets: string[];
  readonly labels: Record<string, string>;
}

const PATH = '/v1/prometheus-sd';

describe('Prometheus targets', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  const read = async (query = '', caller = admin): Promise<Target[]> =>
    (await caller.get(PATH + query).expect(200)).body as Target[];
  /** The addresses, by host name. */
  const addresses = async (query = '', caller = admin): Promise<Record<string, string[]>> =>
    Object.fromEntries(
      (await read(query, caller)).map(({ targets, labels }) => [labels['__meta_muster_name'], targets]),
    );
  const labelsOf = async (query = ''): Promise<Record<string, string>> => {
    const [target, ...others] = await read(query);
    expect(others).toEqual([]);
    return target?.labels ?? {};
  };

  /** A host with a port to scrape. */
  const scraped = (members: Record<string, unknown>, variables: Record<string, unknown> = {}) =>
    admin.host({ ...members, variables: { prometheus_port: 9100, ...variables } });

  it('contain the addresses of hosts and their labels', async () => {
    const region = await admin.region({ name: 'eqiad', variables: { prometheus_port: 9100 } });
    const cell = await admin.cell({
      name: 'row 4',
      region_id: region.id,
      variables: { prometheus_scheme: 'https', prometheus_path: '/node/metrics' },
    });
    const host: Resource = await admin.host({
      name: 'a',
      region_id: region.id,
      cell_id: cell.id,
      ip_address: '10.0.0.7',
      device_type: 'a server',
      labels: ['role:web', 'big', 'role:proxy'],
    });
    await admin.networkDevice({ region_id: region.id });
    const { headers, body } = await admin.get(PATH).expect(200);
    // Prometheus rejects any other content type.
    expect(headers['content-type']).toMatch(/^application\/json(; ?charset=utf-8)?$/);
    const { name } = (await app.root.get(`/v1/projects/${admin.projectId}`).expect(200)).body as Resource;
    expect(body).toEqual([
      {
        targets: ['10.0.0.7:9100'],
        labels: {
          __meta_muster_project: admin.projectId,
          __meta_muster_project_name: name,
          __meta_muster_region: 'eqiad',
          __meta_muster_cell: 'row 4',
          __meta_muster_name: 'a',
          __meta_muster_device_type: 'a server',
          __meta_muster_ip_address: '10.0.0.7',
          __meta_muster_id: String(host.id),
          __meta_muster_uuid: host.uuid,
          __meta_muster_labels: ',big,role:proxy,role:web,',
          __meta_muster_label_big: 'true',
          __meta_muster_label_role: 'proxy,web',
          __scheme__: 'https',
          __metrics_path__: '/node/metrics',
        },
      },
    ]);
  });

  it('omit labels without a value', async () => {
    await scraped({ name: 'bare' });
    const labels = await labelsOf();
    expect(Object.keys(labels)).toEqual(
      ['project', 'project_name', 'region', 'name', 'device_type', 'ip_address', 'id', 'uuid'].map(
        (name) => `__meta_muster_${name}`,
      ),
    );
  });

  it('omit hosts without a port', async () => {
    await admin.host({ name: 'without a port' });
    expect(await read()).toEqual([]);
  });

  it('use the ports from variables, or the port parameter', async () => {
    await scraped({ name: 'one', ip_address: '10.0.0.1' });
    await scraped({ name: 'several', ip_address: '10.0.0.2' }, { prometheus_port: [9100, '9256', 9100] });
    await scraped({ name: 'text', ip_address: '10.0.0.3' }, { prometheus_port: '9101' });
    await scraped({ name: 'six', ip_address: '2001:db8::1' });
    await scraped({ name: 'none', ip_address: '10.0.0.4' }, { prometheus_port: [] });
    await scraped({ name: 'null', ip_address: '10.0.0.5' }, { prometheus_port: null });
    await admin.host({ name: 'unset', ip_address: '10.0.0.6' });
    const fromVariables = {
      one: ['10.0.0.1:9100'],
      several: ['10.0.0.2:9100', '10.0.0.2:9256'],
      text: ['10.0.0.3:9101'],
      six: ['[2001:db8::1]:9100'],
    };
    expect(await addresses()).toEqual(fromVariables);
    expect(await addresses('?port=9999')).toEqual({
      ...fromVariables,
      null: ['10.0.0.5:9999'],
      unset: ['10.0.0.6:9999'],
    });
  });

  it('include active hosts that do not opt out', async () => {
    const region = await admin.region({ variables: { prometheus_scrape: false } });
    await scraped({ name: 'as its region', region_id: region.id });
    await scraped({ name: 'against its region', region_id: region.id }, { prometheus_scrape: true });
    await scraped({ name: 'text' }, { prometheus_scrape: 'false' });
    await scraped({ name: 'null', region_id: region.id }, { prometheus_scrape: null });
    await scraped({ name: 'off', active: false });
    expect(Object.keys(await addresses())).toEqual(['against its region', 'null']);
    expect(Object.keys(await addresses('?active=false'))).toEqual(['off']);
    expect(Object.keys(await addresses('?active=true&name=null'))).toEqual(['null']);
  });

  it('omit a host after it is deactivated', async () => {
    const { id } = await scraped({ name: 'a' });
    expect(Object.keys(await addresses())).toEqual(['a']);
    await admin.put(`/v1/hosts/${String(id)}`, { active: false }).expect(200);
    expect(await read()).toEqual([]);
  });

  it('omit only hosts with invalid variables', async () => {
    const { id: region_id } = await admin.region();
    const invalid: [string, unknown][] = [
      ['prometheus_port', 'abc'],
      ['prometheus_port', 0],
      ['prometheus_port', 65_536],
      ['prometheus_port', 9100.5],
      ['prometheus_port', true],
      ['prometheus_port', { port: 9100 }],
      ['prometheus_port', [9100, 'abc']],
      ['prometheus_port', [[9100]]],
      ['prometheus_scheme', 7],
      ['prometheus_scheme', 'ftp'],
      ['prometheus_path', 'metrics'],
      ['prometheus_path', ['/metrics']],
      ['prometheus_scrape', 'no'],
      ['prometheus_scrape', 0],
    ];
    const host = { region_id, ip_address: '10.0.0.1', device_type: 'server' };
    const hosts = invalid.map(([key, value]) => ({
      ...host,
      name: `${key} ${JSON.stringify(value)}`,
      variables: { prometheus_port: 9100, [key]: value },
    }));
    await admin.post('/v1/hosts', hosts).expect(201);
    await scraped({ name: 'valid' });
    expect(Object.keys(await addresses('?port=9200'))).toEqual(['valid']);
  });

  it('use other variables if the request names them', async () => {
    const variables = { port: 1, scheme: 'https', 'x-path': '/x', scrape: true, prometheus_scrape: false };
    await admin.host({ name: 'a', ip_address: '10.0.0.1', variables });
    await admin.host({ name: 'b', variables: { ...variables, scrape: false } });
    const query = '?port_variable=port&scheme_variable=scheme&path_variable=x-path&scrape_variable=scrape';
    expect(await read(query)).toMatchObject([
      { targets: ['10.0.0.1:1'], labels: { __scheme__: 'https', __metrics_path__: '/x' } },
    ]);
  });

  it('show the variables that the request names', async () => {
    const region = await admin.region({ variables: { rack: 4, 'x-y': 'a "b"', hidden: 1 } });
    await scraped(
      { name: 'a', region_id: region.id },
      { big: { n: 1 }, none: null, hidden: null, empty: '', list: ['ä'] },
    );
    const text = '{"exact":1.10}';
    const [{ id }] = (await admin.get('/v1/hosts?name=a').expect(200)).body as [Resource];
    await admin.put(`/v1/hosts/${String(id)}/variables`, text).expect(200);
    const keys = ['rack', 'x-y', 'big', 'none', 'hidden', 'empty', 'list', 'exact', 'unset'];
    const labels = await labelsOf(`?${keys.map((key) => `variable=${key}`).join('&')}`);
    const shown = Object.entries(labels).filter(([name]) => name.startsWith('__meta_muster_variable_'));
    expect(Object.fromEntries(shown)).toEqual({
      __meta_muster_variable_rack: '4',
      __meta_muster_variable_x_y: 'a "b"',
      __meta_muster_variable_big: '{"n": 1}',
      __meta_muster_variable_empty: '',
      __meta_muster_variable_list: '["ä"]',
      __meta_muster_variable_exact: '1.10',
    });
  });

  it('escape the names of two labels that would collide', async () => {
    await scraped({ name: 'a', labels: ['a-b', 'a_b:1', 'c.d:2', 'U__x', ':y', 'z:'] });
    const labels = await labelsOf();
    const shown = Object.entries(labels).filter(([name]) => name.startsWith('__meta_muster_label_'));
    expect(Object.fromEntries(shown)).toEqual({
      __meta_muster_label_U__a_2D_b: 'true',
      __meta_muster_label_U__a__b: '1',
      __meta_muster_label_c_d: '2',
      __meta_muster_label_U__U____x: 'true',
      __meta_muster_label__y: 'true',
      __meta_muster_label_z_: 'true',
    });
    expect(labels['__meta_muster_labels']).toBe(',:y,U__x,a-b,a_b:1,c.d:2,z:,');
  });

  it('name a label the same for every host filter', async () => {
    await scraped({ name: 'a', labels: ['a-b'] });
    await scraped({ name: 'b', labels: ['a_b'] });
    expect(await labelsOf('?name=a')).toHaveProperty('__meta_muster_label_U__a_2D_b');
  });

  it('escape the names of two variables that would collide', async () => {
    await scraped({ name: 'a' }, { 'x-y': 1, x_y: 2 });
    expect(await labelsOf('?variable=x-y&variable=x_y')).toMatchObject({
      __meta_muster_variable_U__x_2D_y: '1',
      __meta_muster_variable_U__x__y: '2',
    });
    expect(await labelsOf('?variable=x-y')).toMatchObject({ __meta_muster_variable_x_y: '1' });
  });

  it('support the filters of hosts', async () => {
    const a = await scraped({ name: 'a', labels: ['web'], ip_address: '10.1.0.1' }, { row: 4 });
    await scraped({ name: 'b', parent_id: a.id, region_id: a['region_id'] });
    const found = async (query: string) => Object.keys(await addresses(query));
    expect(await found('?label=web')).toEqual(['a']);
    expect(await found('?ip=10.1.0.0/16')).toEqual(['a']);
    expect(await found(`?vars=${encodeURIComponent('row:4')}`)).toEqual(['a']);
    expect(await found('?name=a&descendants=true')).toEqual(['a', 'b']);
    expect(await found(`?region_id=${String(a['region_id'])}`)).toEqual(['a', 'b']);
  });

  it('return 404 for a region of another project', async () => {
    const foreign = await (await app.project()).region();
    await admin.get(`${PATH}?region_id=${String(foreign.id)}`).expect(404);
  });

  it('belong to one project, even for root', async () => {
    await scraped({ name: 'here' });
    const other = await app.project();
    expect(await addresses('', app.root.in(other.projectId))).toEqual({});
    expect(Object.keys(await addresses('', app.root.in(admin.projectId)))).toEqual(['here']);
  });

  it('neither show nor use private variables', async () => {
    await admin
      .put(`/v1/projects/${admin.projectId}/settings`, { private: ['prometheus_port', 'secret'] })
      .expect(200);
    const user = await admin.user();
    const allowed = await admin.user({ roles: ['prometheus_port'] });
    await scraped({ name: 'a', ip_address: '10.0.0.1' }, { secret: 'hidden value' });
    expect(await read('?variable=secret', user)).toEqual([]);
    expect(await addresses('?port=80', user)).toEqual({ a: ['10.0.0.1:80'] });
    const [target] = await read('?variable=secret', allowed);
    expect(target?.targets).toEqual(['10.0.0.1:9100']);
    expect(JSON.stringify(target)).not.toContain('hidden value');
  });
});

describe('the query of Prometheus targets', () => {
  let reader: Caller;
  beforeAll(async () => {
    reader = await sharedService().project();
  });

  it.each([
    ['port=0', 'port'],
    ['port=abc', 'port'],
    ['port=65536', 'port'],
    ['port_variable=1a', 'port_variable'],
    ['scheme_variable=', 'scheme_variable'],
    ['variable=a%20b', 'variable'],
    ['scrape_variable=a&scrape_variable=b', 'scrape_variable'],
    ['inactive=true', 'inactive'],
    ['limit=10', 'limit'],
    ['region_id=x', 'region_id'],
    ['vars=a', 'vars'],
  ])('rejects %s', async (query, field) => {
    const { body } = await reader.get(`${PATH}?${query}`).expect(400);
    expect(body).toMatchObject({ code: 'invalid_request', details: [{ field }] });
  });
});
