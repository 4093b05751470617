import {
  matchesDomain,
  matchesProject,
  parseKeystoneSettings,
  mapKeystoneRoles,
} from '../../src/auth/identity/keystone/keystone-settings';
import { readEnvironment } from '../../src/config/environment';

const REQUIRED = {
  IDENTITY: 'keystone',
  KEYSTONE_AUTH_URL: 'http://keystone:5000',
  KEYSTONE_USERNAME: 'muster',
  KEYSTONE_PASSWORD: 'secret',
};

function settings(more: Record<string, string> = {}) {
  const read = parseKeystoneSettings(readEnvironment({ ...REQUIRED, ...more }));
  if (!read) throw new Error('Keystone is not configured');
  return read;
}

describe('the Keystone settings', () => {
  it('are required with IDENTITY=keystone, and ignored otherwise', () => {
    expect(() => readEnvironment({ IDENTITY: 'keystone' })).toThrow(
      /KEYSTONE_AUTH_URL: is required when IDENTITY is keystone; KEYSTONE_USERNAME: .*; KEYSTONE_PASSWORD: /,
    );
    expect(parseKeystoneSettings(readEnvironment({}))).toBeUndefined();
    expect(parseKeystoneSettings(readEnvironment({ ...REQUIRED, IDENTITY: 'local' }))).toBeUndefined();
  });

  it('require IDENTITY=keystone', () => {
    expect(() => readEnvironment({ ...REQUIRED, IDENTITY: '' })).toThrow(
      /KEYSTONE_AUTH_URL: requires IDENTITY=keystone.*; KEYSTONE_USERNAME: .*; KEYSTONE_PASSWORD: /,
    );
    expect(() => readEnvironment({ KEYSTONE_ROLES: '{}' })).toThrow(
      /KEYSTONE_ROLES: requires IDENTITY=keystone/,
    );
  });

  it.each([
    ['http://keystone:5000', 'http://keystone:5000/v3'],
    ['http://keystone:5000/', 'http://keystone:5000/v3'],
    ['http://keystone:5000/v3', 'http://keystone:5000/v3'],
    ['https://cloud.example/identity/v3/', 'https://cloud.example/identity/v3'],
    ['https://cloud.example/identity', 'https://cloud.example/identity/v3'],
  ])('accept the URL %s', (url, found) => {
    expect(settings({ KEYSTONE_AUTH_URL: url }).url.href).toBe(found);
  });

  it.each([
    'nonsense',
    'keystone:5000',
    'ftp://keystone',
    'http://muster:secret@keystone',
    'http://keystone/?a=b',
  ])('reject the URL %s, without printing it', (url) => {
    const sentence = /^The environment is invalid: KEYSTONE_AUTH_URL: must be a URL [a-z/:, ]+\.$/;
    expect(() => settings({ KEYSTONE_AUTH_URL: url })).toThrow(sentence);
  });

  it.each([
    'member',
    '[]',
    '{"member": "*:write"}',
    '{"member": ["hosts:read"]}',
    '{"member": ["*"]}',
    '{"member": ["ntp.servers"]}',
    '{"member": [1]}',
    'null',
    JSON.stringify({ member: Array(257).fill('admin') }),
  ])('reject the roles %s', (roles) => {
    expect(() => settings({ KEYSTONE_ROLES: roles })).toThrow(/KEYSTONE_ROLES: must /);
  });

  it('identify domains by ID or name', () => {
    const id = '0123456789abcdef0123456789abcdef';
    const first = { id: 'default', name: 'Default' };
    const { userDomain, projectDomain, adminProjectDomain } = settings({
      KEYSTONE_PROJECT_DOMAIN: id,
      KEYSTONE_ADMIN_PROJECT_DOMAIN: 'Default',
    });
    expect([userDomain, projectDomain, adminProjectDomain]).toEqual([
      { id: 'default' },
      { id },
      { name: 'Default' },
    ]);
    expect(
      [userDomain, projectDomain, adminProjectDomain].map((domain) => matchesDomain(domain, first)),
    ).toEqual([true, false, true]);
    const project = { id: '01234567-89ab-cdef-0123-456789abcdef', name: 'admin' };
    expect([id, 'admin', 'Admin', id.replace('0', '1')].map((text) => matchesProject(text, project))).toEqual(
      [true, true, false, false],
    );
  });
});

describe('the permissions of a Keystone token', () => {
  const admin = {
    id: '01234567-89ab-cdef-0123-456789abcdef',
    name: 'admin',
    domain: { id: 'default', name: 'Default' },
  };
  const fleet = { ...admin, name: 'fleet' };
  const mapped = settings({
    KEYSTONE_ROLES: '{"Member": ["*:write", "ntp_*"], "steward": ["admin"], "reader": []}',
  });
  const rights = (project: typeof admin, ...roles: string[]) => mapKeystoneRoles({ project, roles }, mapped);

  it('are those of its roles, mapped or unmapped', () => {
    expect(rights(fleet, 'hosts:write', 'hw_*', 'MEMBER')).toEqual({
      isAdmin: false,
      isRoot: false,
      roles: ['hosts:write', 'hw_*', '*:write', 'ntp_*'],
    });
  });

  it('are empty for standard Keystone roles and invalid role names', () => {
    const standard = ['reader', 'service', 'Manager'];
    // Role names that are invalid in Muster.
    const others = [
      '*',
      '',
      'hosts:read',
      'two words',
      'a*b',
      ':write',
      'a.b',
      '9x',
      '9x*',
      '-a',
      'a'.repeat(256),
    ];
    expect(rights(fleet, ...standard, ...others)).toEqual({ isAdmin: false, isRoot: false, roles: [] });
    expect(mapKeystoneRoles({ project: fleet, roles: ['member', 'reader'] }, settings())).toMatchObject({
      roles: [],
    });
  });

  it('are those of an admin, and of root in the configured admin project', () => {
    for (const role of ['admin', 'Admin', 'steward']) {
      expect(rights(fleet, role)).toEqual({ isAdmin: true, isRoot: false, roles: [] });
      expect(rights(admin, role)).toEqual({ isAdmin: true, isRoot: true, roles: [] });
    }
    expect(rights(admin, 'member')).toMatchObject({ isAdmin: false, isRoot: false });
    expect(rights({ ...admin, domain: { id: 'f'.repeat(32), name: 'Default' } }, 'admin')).toMatchObject({
      isRoot: false,
    });
    const elsewhere = settings({ KEYSTONE_ADMIN_PROJECT: 'fleet' });
    expect(mapKeystoneRoles({ project: fleet, roles: ['admin'] }, elsewhere)).toMatchObject({ isRoot: true });
    expect(mapKeystoneRoles({ project: admin, roles: ['admin'] }, elsewhere)).toMatchObject({
      isRoot: false,
    });
  });
});
