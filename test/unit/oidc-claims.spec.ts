import { hasRoles, parseUser, grantedPermissions } from '../../src/auth/identity/oidc/oidc-claims';

const settings = { usernameClaim: 'preferred_username', rolesClaim: 'groups' };
const claims = { iss: 'https://login.example', sub: 's1', preferred_username: 'ann', groups: ['a', 'b'] };

const valuesOf = (rolesClaim: string, more: object) =>
  parseUser({ ...claims, ...more }, { ...settings, rolesClaim })?.values;

describe('the claims of a user', () => {
  it('have a subject that includes the issuer, a name and values', () => {
    expect(parseUser(claims, settings)).toEqual({
      subject: 'https://login.example s1',
      names: ['ann', 'ann@s1'],
      values: ['a', 'b'],
    });
  });

  it.each([undefined, '', 7, 'é', 'a\n', 'x'.repeat(256)])('identify no user with the subject %j', (sub) => {
    expect(parseUser({ ...claims, sub }, settings)).toBeUndefined();
  });

  it.each([undefined, '', ' ', 7, 'a\u0000', 'a\nb', '\ud800', 'x'.repeat(128)])(
    'contain no name: %j',
    (preferred_username) => {
      expect(parseUser({ ...claims, preferred_username }, settings)?.names).toEqual([]);
    },
  );

  it.each([
    ['groups', { groups: 'a' }, ['a']],
    ['groups', { groups: ['a', 7, null, ['b']] }, ['a']],
    ['groups', { groups: undefined }, []],
    ['groups', { groups: { a: 1 } }, []],
    ['realm_access.roles', { realm_access: { roles: ['a'] } }, ['a']],
    ['realm_access.roles', { realm_access: 'x' }, []],
    ['realm_access.roles', {}, []],
    ['https://example.com/roles', { 'https://example.com/roles': ['a'] }, ['a']],
    ['constructor', {}, []],
    ['constructor.name', {}, []],
    ['email', { email: 'a@b', email_verified: true }, ['a@b']],
    ['email', { email: 'a@b', email_verified: false }, []],
    ['email', { email: 'a@b', email_verified: 'true' }, []],
    ['email', { email: 'a@b' }, []],
  ])('have at %s in %j the values %j', (rolesClaim, more, expected) => {
    expect(valuesOf(rolesClaim, more)).toEqual(expected);
  });

  it('can lack the claim with the roles', () => {
    expect(hasRoles(claims, settings)).toBe(true);
    expect(hasRoles({ ...claims, groups: [] }, settings)).toBe(true);
    expect(hasRoles(claims, { rolesClaim: 'others' })).toBe(false);
  });
});

describe('granted permissions', () => {
  const grants = { a: ['hosts:write', 'ntp_*'], b: ['admin', 'x'], c: [] };

  it('are those of the project', () => {
    expect(grantedPermissions(grants, 'a')).toEqual({
      isAdmin: false,
      isRoot: false,
      roles: ['hosts:write', 'ntp_*'],
    });
    expect(grantedPermissions(grants, 'b')).toEqual({ isAdmin: true, isRoot: false, roles: ['x'] });
    expect(grantedPermissions(grants, 'c')).toEqual({ isAdmin: false, isRoot: false, roles: [] });
    expect(grantedPermissions(grants, 'other')).toEqual({ isAdmin: false, isRoot: false, roles: [] });
  });

  it('are those of root in every project, if one of them grants it', () => {
    const withRoot = { ...grants, d: ['root'] };
    for (const project of ['a', 'c', 'd', 'other'])
      expect(grantedPermissions(withRoot, project)).toMatchObject({ isAdmin: true, isRoot: true });
  });
});
