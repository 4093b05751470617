import { parseOidcSettings } from '../../src/auth/identity/oidc/oidc-settings';
import { readEnvironment } from '../../src/config/environment';

const REQUIRED = {
  IDENTITY: 'oidc',
  OIDC_ISSUER: 'https://login.example/realms/fleet',
  OIDC_CLIENT_ID: 'muster',
  OIDC_ROLES: '{"netops": {"fleet": ["admin", "ntp_*"]}}',
};

const read = (more: Record<string, string>) => parseOidcSettings(readEnvironment({ ...REQUIRED, ...more }));

describe('the settings of OpenID Connect', () => {
  it('are required with IDENTITY=oidc and local,oidc, and ignored otherwise', () => {
    for (const IDENTITY of ['oidc', 'local,oidc'])
      expect(() => readEnvironment({ IDENTITY })).toThrow(
        /OIDC_ISSUER: is required when IDENTITY is oidc; OIDC_CLIENT_ID: .*; OIDC_ROLES: is required/,
      );
    expect(read({ IDENTITY: 'local' })).toBeUndefined();
    expect(() => readEnvironment({ ...REQUIRED, IDENTITY: '' })).toThrow(
      'OIDC_ISSUER: requires IDENTITY=oidc (or IDENTITY=local, which ignores it)',
    );
    expect(() => readEnvironment({ IDENTITY: 'oidc,keystone' })).toThrow('IDENTITY: must be one of');
  });

  it('have defaults', () => {
    expect(read({})).toEqual({
      issuer: 'https://login.example/realms/fleet',
      clientId: 'muster',
      clientSecret: undefined,
      cliClientId: 'muster',
      name: 'OpenID Connect',
      scopes: 'openid profile email',
      audience: 'muster',
      rolesClaim: 'groups',
      usernameClaim: 'preferred_username',
      roles: new Map([['netops', { fleet: ['admin', 'ntp_*'] }]]),
    });
  });

  it.each([
    'http://login.example',
    'http://127.0.0.1:8080',
    'https://user@login.example',
    'https://login.example?x',
    'https://login.example#x',
    'login.example',
    'https://',
  ])('reject the issuer %s', (OIDC_ISSUER) => {
    expect(() => read({ OIDC_ISSUER })).toThrow('OIDC_ISSUER: must be a URL that begins with https://');
  });

  it.each(['{', '[]', '"x"', '{"a": []}', '{"a": "x"}', '{"a": {"p": "x"}}', '{"a": {"p": [1]}}'])(
    'reject the roles %s',
    (OIDC_ROLES) => {
      expect(() => read({ OIDC_ROLES })).toThrow('OIDC_ROLES: must be JSON such as');
    },
  );

  it.each(['*', 'a.b', ''])('reject the role %j', (role) => {
    expect(() => read({ OIDC_ROLES: JSON.stringify({ a: { p: [role] } }) })).toThrow(
      'OIDC_ROLES: must map "p" to at most 256 roles, each admin, root or a role of Muster',
    );
  });

  it('need the scope openid, and show no secret in an error', () => {
    expect(() => read({ OIDC_SCOPES: 'profile' })).toThrow('OIDC_SCOPES: must include the scope openid');
    expect(() => read({ OIDC_SCOPES: 'x', OIDC_CLIENT_SECRET: 'hidden' })).not.toThrow('hidden');
  });
});
