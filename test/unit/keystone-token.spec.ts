import { parseKeystoneToken } from '../../src/auth/identity/keystone/keystone-token';

const domain = { id: 'default', name: 'Default' };
const user = { id: 'a1', name: 'ann', domain };
const project = { id: '0123456789abcdef0123456789abcdef', name: 'fleet', domain };
const token = {
  user,
  project,
  expires_at: '2026-01-02T03:04:05.000000Z',
  roles: [{ id: 'b2', name: 'member' }],
};
const expiresAt = Date.UTC(2026, 0, 2, 3, 4, 5);

const parse = (members: object) => parseKeystoneToken(JSON.stringify({ token: members }));

describe("Keystone's description of a token", () => {
  it('has a user, a project, roles and an expiry', () => {
    expect(parse({ ...token, catalog: [{ type: 'identity' }] })).toEqual({
      user,
      project: { ...project, id: '01234567-89ab-cdef-0123-456789abcdef' },
      roles: ['member'],
      expiresAt,
    });
    expect(parse({ ...token, roles: undefined })).toMatchObject({ roles: [] });
  });

  it.each([
    [{ is_domain: true }, 'for a domain'],
    [{ project: { ...project, id: 'no-uuid' } }, 'for a domain'],
    [{ project: undefined, domain }, 'for a domain'],
    [{ project: undefined, system: { all: true } }, 'for the whole system'],
    [{ project: undefined }, 'unscoped'],
  ])('has another scope: %j', (members, scope) => {
    expect(parse({ ...token, ...members })).toEqual({ scope, expiresAt });
  });

  it.each([
    { user: undefined },
    { user: { ...user, id: '' } },
    { user: { ...user, domain: {} } },
    { project: null },
    { project: { id: 1, name: 'fleet', domain } },
    { is_domain: 'true' },
    { expires_at: undefined },
    { expires_at: '2026-01-02T03:04:05' },
    { expires_at: '2026-99-02T03:04:05Z' },
    { roles: {} },
    { roles: ['member'] },
    { roles: [null] },
  ])('is rejected with %j', (members) => {
    expect(parse({ ...token, ...members })).toBeUndefined();
  });

  it.each(['', 'null', '[]', '{}', '{"token":null}', '<html>'])('is rejected as %j', (text) => {
    expect(parseKeystoneToken(text)).toBeUndefined();
  });
});
