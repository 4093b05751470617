import { sharedService } from '../support/service';
import { keyIdOf, aName, type Caller, type Resource } from '../support/caller';
import { expireKey } from '../support/database';
import { authHeaders, sendRaw, type HttpResponse } from '../support/http-exchange';

type Headers = Readonly<Record<string, string>>;

/** A header value with non-ASCII text: UTF-8 bytes, which HTTP libraries read one by one as Latin-1. */
const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` });

describe('authentication', () => {
  const app = sharedService();
  let admin: Caller;
  let user: Caller;
  let other: Caller;
  let valid: Headers;
  beforeAll(async () => {
    admin = await app.project();
    user = await admin.user();
    other = await app.project();
    valid = authHeaders(user.credentials);
  });

  const send = (headers: Headers, path = '/v1/regions'): Promise<HttpResponse> =>
    sendRaw(app.url + path, { headers });
  const statusOf = async (headers: Headers): Promise<number> => (await send(headers)).status;

  const without = (name: string): Headers =>
    Object.fromEntries(Object.entries(valid).filter(([header]) => header !== name));

  /** The response without the parts that differ between requests. */
  function comparable({ status, headers, body }: HttpResponse) {
    expect(body).toMatchObject({ request_id: headers['x-request-id'] });
    const shown: Headers = { ...headers, 'x-request-id': '', date: '' };
    return { status, headers: shown, body: { ...(body as object), request_id: '' } };
  }

  describe('accepts', () => {
    it('the three headers', async () => {
      expect(await statusOf(valid)).toBe(200);
    });

    it('the API key alone as a bearer token, with any spelling of the scheme', async () => {
      const { token } = user.credentials;
      for (const Authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token} `])
        expect(await statusOf({ Authorization })).toBe(200);
      const { body } = await send(bearer(admin.credentials.token), '/v1/users');
      expect(new Set((body as Resource[]).map(({ project_id }) => project_id))).toEqual(
        new Set([admin.projectId]),
      );
    });

    it('both, if they agree', async () => {
      const { token } = user.credentials;
      expect(await statusOf({ ...valid, ...bearer(token) })).toBe(200);
      for (const [name, value] of Object.entries(valid))
        expect(await statusOf({ ...bearer(token), [name]: value })).toBe(200);
    });

    it('the headers together with an Authorization header of another scheme', async () => {
      expect(await statusOf({ ...valid, Authorization: 'Basic dXNlcjpwYXNzd29yZA==' })).toBe(200);
    });

    it('a project id in any case, with and without dashes', async () => {
      const { project } = user.credentials;
      const bare = project.replaceAll('-', '');
      const spellings = [project.toUpperCase(), bare, bare.toUpperCase(), `  ${project} `];
      for (const spelling of spellings) {
        expect(await statusOf({ ...valid, 'X-Auth-Project': spelling })).toBe(200);
        expect(await statusOf({ ...bearer(user.credentials.token), 'X-Auth-Project': spelling })).toBe(200);
      }
      const region = await sendRaw(`${app.url}/v1/regions`, {
        method: 'POST',
        headers: {
          ...authHeaders({ ...admin.credentials, project: bare.toUpperCase() }),
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ name: aName('region') }),
      });
      expect(region.body).toMatchObject({ project_id: project });
    });

    it.each(['Zoë', 'Łukasz', '田中', 'مدير', '😀', 'a b', 'a, b', 'user@example.org', "o'neill; --"])(
      'the username %s',
      async (name) => {
        const username = `${name}${aName('-')}`;
        const { credentials } = await admin.user({ username });
        expect(credentials.user).toBe(username);
        expect(await statusOf({ ...authHeaders(credentials), 'X-Auth-User': utf8(username) })).toBe(200);
        expect(await statusOf(bearer(credentials.token))).toBe(200);
        expect(await statusOf({ ...authHeaders(credentials), 'X-Auth-User': utf8(`${username}é`) })).toBe(
          401,
        );
      },
    );
  });

  describe('rejects with one uniform 401', () => {
    let refused: ReturnType<typeof comparable>;
    beforeAll(async () => {
      refused = comparable(await send({}));
    });

    it('without a reason', () => {
      expect(refused.status).toBe(401);
      expect(refused.headers['www-authenticate']).toBe('Bearer realm="muster"');
      expect(refused.body).toEqual({
        code: 'unauthenticated',
        message: expect.stringContaining('X-Auth-Token'),
        details: [],
        request_id: '',
      });
    });

    const swap = (text: string, at: number): string =>
      text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1);

    it.each<[string, () => Headers | Promise<Headers>]>([
      ['no token', () => without('X-Auth-Token')],
      ['no user', () => without('X-Auth-User')],
      ['no project', () => without('X-Auth-Project')],
      ['a token alone', () => ({ 'X-Auth-Token': user.credentials.token })],
      ['an empty token', () => ({ ...valid, 'X-Auth-Token': '' })],
      ['an empty user', () => ({ ...valid, 'X-Auth-User': '' })],
      ['an empty project', () => ({ ...valid, 'X-Auth-Project': '' })],
      ['an unknown user', () => ({ ...valid, 'X-Auth-User': 'nobody' })],
      ['another user of the project', () => ({ ...valid, 'X-Auth-User': admin.credentials.user })],
      ['the user in another case', () => ({ ...valid, 'X-Auth-User': user.credentials.user.toUpperCase() })],
      ['another secret', () => ({ ...valid, 'X-Auth-Token': swap(user.credentials.token, 40) })],
      ['another key id', () => ({ ...valid, 'X-Auth-Token': swap(user.credentials.token, 4) })],
      ['the key of another user', () => ({ ...valid, 'X-Auth-Token': admin.credentials.token })],
      ['the key of another project', () => ({ ...valid, 'X-Auth-Token': other.credentials.token })],
      ['the key in another case', () => ({ ...valid, 'X-Auth-Token': user.credentials.token.toUpperCase() })],
      ['a shorter key', () => ({ ...valid, 'X-Auth-Token': user.credentials.token.slice(0, -1) })],
      ['a longer key', () => ({ ...valid, 'X-Auth-Token': `${user.credentials.token}A` })],
      [
        'the key twice',
        () => ({ ...valid, 'X-Auth-Token': `${user.credentials.token}, ${user.credentials.token}` }),
      ],
      ['a malformed key', () => ({ ...valid, 'X-Auth-Token': "' OR 1=1 --" })],
      ['a key that is not ASCII', () => ({ ...valid, 'X-Auth-Token': utf8('ключ') })],
      ['another existing project', () => ({ ...valid, 'X-Auth-Project': other.projectId })],
      [
        'a project that does not exist',
        () => ({ ...valid, 'X-Auth-Project': '00000000-0000-4000-8000-000000000000' }),
      ],
      ['a malformed project id', () => ({ ...valid, 'X-Auth-Project': 'first' })],
      ['the project id in braces', () => ({ ...valid, 'X-Auth-Project': `{${user.projectId}}` })],
      [
        'root in a project that does not exist',
        () => authHeaders({ ...app.root.credentials, project: '00000000-0000-4000-8000-000000000000' }),
      ],
      ['root under another name', () => authHeaders({ ...app.root.credentials, user: 'toor' })],
      [
        'another user with a bearer token',
        () => ({ ...bearer(user.credentials.token), 'X-Auth-User': admin.credentials.user }),
      ],
      ['an empty user with a bearer token', () => ({ ...bearer(user.credentials.token), 'X-Auth-User': '' })],
      [
        'another project with a bearer token',
        () => ({ ...bearer(user.credentials.token), 'X-Auth-Project': other.projectId }),
      ],
      [
        'another token with a bearer token',
        () => ({ ...bearer(user.credentials.token), 'X-Auth-Token': admin.credentials.token }),
      ],
      [
        'an empty token with a bearer token',
        () => ({ ...bearer(user.credentials.token), 'X-Auth-Token': '' }),
      ],
      ['another bearer token with the headers', () => ({ ...valid, ...bearer(admin.credentials.token) })],
      [
        'two bearer tokens with the headers',
        () => ({ ...valid, Authorization: `Bearer ${user.credentials.token} x` }),
      ],
      ['an empty bearer token with the headers', () => ({ ...valid, Authorization: 'Bearer' })],
      ['a wrong bearer token', () => bearer(swap(user.credentials.token, 40))],
      ['a bearer token that is not an API key', () => bearer('eyJhbGciOiJub25lIn0.e30.')],
      ['another scheme', () => ({ Authorization: `Basic ${user.credentials.token}` })],
      ['no scheme', () => ({ Authorization: user.credentials.token })],
      ['a cookie', () => ({ Cookie: `X-Auth-Token=${user.credentials.token}` })],
      [
        'a revoked key',
        async () => {
          const revoked = await admin.user();
          const { body } = await admin.get(`/v1/users?username=${revoked.credentials.user}`);
          const keys = `/v1/users/${String((body as Resource[])[0]?.id)}/api-keys`;
          await admin.delete(`${keys}/${keyIdOf(revoked.credentials)}`).expect(204);
          return authHeaders(revoked.credentials);
        },
      ],
      [
        'an expired key',
        async () => {
          const expired = await admin.user();
          await expireKey(app, expired.credentials);
          return authHeaders(expired.credentials);
        },
      ],
      [
        'a deleted user',
        async () => {
          const deleted = await admin.user();
          const { body } = await admin.get(`/v1/users?username=${deleted.credentials.user}`);
          await admin.delete(`/v1/users/${String((body as Resource[])[0]?.id)}`).expect(204);
          return authHeaders(deleted.credentials);
        },
      ],
    ])('for %s', async (_, headers) => {
      expect(comparable(await send(await headers()))).toEqual(refused);
    });

    it('for a key in the query string', async () => {
      const { token } = user.credentials;
      expect(comparable(await send({}, `/v1/regions?api_key=${token}&X-Auth-Token=${token}`))).toEqual(
        refused,
      );
    });
  });

  it('is not required for health, readiness, metrics and the API description', async () => {
    for (const path of ['/', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs'])
      expect((await send({}, path)).status).toBe(200);
  });

  it('is not required for the links at /, which lead somewhere', async () => {
    const { links } = (await send({}, '/')).body as { links: { href: string }[] };
    expect(links).toHaveLength(3);
    for (const { href } of links) expect([href, (await send({}, href)).status]).toEqual([href, 200]);
  });
});
