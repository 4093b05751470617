import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';

describe('configuration management exports', () => {
  const app = sharedService();
  let admin: Caller;
  // Each test makes a host of its own.
  beforeAll(async () => {
    admin = await app.project();
  });
  /** A host that inherits some of its variables. */
  async function hostWith(variables: Record<string, unknown>): Promise<Resource> {
    const { label } = await admin.label({ variables: { port: 443 } });
    const region = await admin.region({ variables: { ntp: '10.0.0.1', row: 1 } });
    const cell = await admin.cell({ region_id: region.id, variables: { row: 4 } });
    return admin.host({ region_id: region.id, cell_id: cell.id, labels: [label], variables });
  }
  const inherited = { ntp: '10.0.0.1', row: 4, port: 443 };
  const textOf = async (path: string, caller = admin): Promise<string> =>
    (await caller.get(path).expect(200)).text;

  describe.each([
    ['the Salt pillar', '/v1/salt-pillar'],
    ['the Puppet node classification', '/v1/puppet-enc'],
  ])('%s', (_, path) => {
    const of = (host: string) => `${path}?host=${encodeURIComponent(host)}`;

    it('is JSON, with every digit', async () => {
      const { id, name } = await hostWith({});
      await admin
        .put(`/v1/hosts/${String(id)}/variables`, '{"big":9007199254740993,"exact":1.10,"__proto__":1}')
        .expect(200);
      const { headers, text } = await admin.get(of(name)).expect(200);
      expect(headers['content-type']).toBe('application/json');
      for (const member of ['"big": 9007199254740993', '"exact": 1.10', '"__proto__": 1'])
        expect(text).toContain(member);
    });

    it('supports any host name, active or not', async () => {
      const name = aName('ä/ö?&host=%s+1');
      await admin.host({ name, active: false, variables: { own: 1 } });
      expect(await textOf(of(name))).toContain('"own": 1');
    });

    it('covers only the project of the request, also for root', async () => {
      const { name } = await hostWith({ own: 'own value' });
      const other = app.root.in((await app.project()).projectId);
      // No such host: an empty pillar, and a node that does not exist.
      const elsewhere = await other.get(of(name));
      expect([elsewhere.status, elsewhere.text]).toEqual(
        path.includes('salt') ? [200, '{}'] : [404, expect.not.stringContaining('own value')],
      );
      expect((await app.root.in(admin.projectId).get(of(name)).expect(200)).text).toContain('own value');
    });

    it('hides private variables', async () => {
      await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret'] }).expect(200);
      const { name } = await hostWith({ secret: 'hidden value' });
      const seen = await textOf(of(name), await admin.user());
      expect(seen).toContain('"port": 443');
      expect(seen).not.toContain('hidden value');
      expect(await textOf(of(name))).toContain('hidden value');
    });

    it.each([
      ['', 'host'],
      ['?host=', 'host'],
      ['?host=a&host=b', 'host'],
      ['?host=%00', 'host'],
      ['?host=a&active=true', 'active'],
      ['?host=a&at=2017-02-16T14:28:55.000000', 'at'],
    ])('refuses %j', async (query, field) => {
      const { body } = await admin.get(path + query).expect(400);
      expect(body).toMatchObject({ code: 'invalid_request', details: [{ field }] });
    });

    it('is readable by every user of the project, and by nobody else', async () => {
      const { name } = await admin.host();
      await (await admin.user()).get(of(name)).expect(200);
      await admin.as({ token: '', user: '', project: '' }).get(of(name)).expect(401);
    });
  });

  describe('the Salt pillar', () => {
    it('contains the resolved variables of a host', async () => {
      const { name } = await hostWith({ own: [1, { a: null }] });
      const { body } = await admin.get(`/v1/salt-pillar?host=${name}`).expect(200);
      expect(body).toEqual({ ...inherited, own: [1, { a: null }] });
    });

    it('contains integers that are too long for Python as strings', async () => {
      const { id, name } = await hostWith({});
      const [most, more] = ['7'.repeat(4_300), '8'.repeat(4_301)];
      await admin
        .put(
          `/v1/hosts/${String(id)}/variables`,
          `{"a":[-${most},-${more}],"b":{"${more}":${more}},"c":"\\"${more}","d":${more}.5}`,
        )
        .expect(200);
      const text = await textOf(`/v1/salt-pillar?host=${name}`);
      expect(text).toContain(`"a": [-${most}, "-${more}"]`);
      expect(text).toContain(`"b": {"${more}": "${more}"}`);
      expect(text).toContain(`"c": "\\"${more}"`);
      expect(text).toContain(`"d": ${more}.5`);
    });

    it('is empty for a minion that is not a host', async () => {
      const device = await admin.networkDevice();
      for (const name of [aName('absent'), device.name])
        expect(await textOf(`/v1/salt-pillar?host=${name}`)).toBe('{}');
    });
  });

  describe('the Puppet node classification', () => {
    const node = async (host: string, more = ''): Promise<unknown> =>
      (await admin.get(`/v1/puppet-enc?host=${host}${more}`).expect(200)).body;

    it('has parameters, and no classes if no variable names any', async () => {
      const { name } = await hostWith({});
      expect(await node(name)).toEqual({ classes: {}, parameters: inherited });
      const other = await hostWithNulls();
      expect(await node(other)).toEqual({ classes: {}, parameters: {} });
    });

    it('omits parameters that Puppet does not accept', async () => {
      const { name } = await hostWith({ trusted: 1, facts: { os: 'x' }, server_facts: null, fact: 2 });
      expect(await node(name)).toEqual({ classes: {}, parameters: { ...inherited, fact: 2 } });
    });

    const hostWithNulls = async () =>
      (await admin.host({ variables: { puppet_classes: null, puppet_environment: null } })).name;

    it.each([
      [['ntp', 'profile::web']],
      [{ ntp: null, 'profile::web': { port: 443, hosts: ['a'] } }],
      [[]],
      [{}],
    ])('has the classes %j and the environment from variables', async (classes) => {
      const { name } = await hostWith({ puppet_classes: classes, puppet_environment: 'staging' });
      expect(await node(name)).toEqual({ classes, parameters: inherited, environment: 'staging' });
    });

    it('uses other variables if the request names them', async () => {
      const { name } = await admin.host({ variables: { roles: ['a'], env: 'b', puppet_classes: ['c'] } });
      expect(await node(name, '&classes_variable=roles&environment_variable=env')).toEqual({
        classes: ['a'],
        parameters: { puppet_classes: ['c'] },
        environment: 'b',
      });
    });

    it.each([
      ['puppet_classes', 'ntp'],
      ['puppet_classes', 7],
      ['puppet_classes', ['ntp', 7]],
      ['puppet_classes', ['']],
      ['puppet_classes', { ntp: true }],
      ['puppet_environment', ['production']],
      ['puppet_environment', ''],
    ])('returns 405 if %s is %j', async (key, value) => {
      const { name } = await admin.host({ variables: { [key]: value } });
      const { body } = await admin.get(`/v1/puppet-enc?host=${name}`).expect(405);
      expect(body).toMatchObject({ code: 'validation_exception', details: [{ field: key }] });
    });

    it('returns 404 for a name that is not a host', async () => {
      const device = await admin.networkDevice();
      for (const name of [aName('absent'), device.name]) {
        const { body } = await admin.get(`/v1/puppet-enc?host=${name}`).expect(404);
        expect(body).toMatchObject({ code: 'not_found', details: [{ field: 'host' }] });
      }
    });

    it.each([
      ['classes_variable=1a', 'classes_variable'],
      ['environment_variable=', 'environment_variable'],
      ['classes_variable=a&environment_variable=a', 'environment_variable'],
    ])('refuses %s', async (query, field) => {
      const { body } = await admin.get(`/v1/puppet-enc?host=a&${query}`).expect(400);
      expect(body).toMatchObject({ details: [{ field }] });
    });
  });
});
