import type { Response } from 'supertest';
import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { collections, type CollectionCase } from '../support/collections';

/** The private keys, and values that occur only in private variables. */
const PRIVATE = ['db_password', 'secret_*'];
const VALUE = 'zq7 hunter2';
const OTHER = 'zq7 correct horse';

const owners = collections.filter(({ carriesVariables }) => carriesVariables);
/** An owner without devices, and a device: all others share their code. */
const some = owners.filter(({ collection }) => ['users', 'hosts'].includes(collection));
/** The levels, each of which checks its own writes, and a device: both kinds share their code. */
const inventory = owners.filter(({ collection }) =>
  ['regions', 'cells', 'labels', 'hosts'].includes(collection),
);
const each = (of: readonly CollectionCase[]) => of.map((one) => [one.collection, one] as const);

type Send = (path: string) => PromiseLike<Response>;

describe('writes of private variables', () => {
  const app = sharedService();
  let admin: Caller;
  beforeAll(async () => {
    admin = await app.project();
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: PRIVATE }).expect(200);
  });
  const withRoles = (...roles: string[]): Promise<Caller> => admin.user({ roles });

  /** Creates one resource of a collection, with variables. */
  async function one({ collection, body }: CollectionCase, variables: object): Promise<string> {
    const made = (await admin.post(`/v1/${collection}`, await body(admin)).expect(201)).body as Resource;
    const path = `/v1/${collection}/${String(made.id)}`;
    await admin.put(`${path}/variables`, variables).expect(200);
    return path;
  }

  const variablesOf = async (path: string): Promise<unknown> =>
    ((await admin.get(`${path}/variables`).expect(200)).body as Resource).variables;

  const comparable = ({ status, text, headers }: Response) => ({
    status,
    text: text.replace(/"request_id":"[^"]*"/, ''),
    etag: headers['etag'],
  });

  /** The query of an attempt: half of them are dry runs, others for each collection in turn. */
  const queryOf = (kind: CollectionCase, attempt: number): string =>
    (owners.indexOf(kind) + attempt) % 2 === 0 ? '' : '?dry_run=true';

  describe.each(each(owners))('on %s', (_, kind) => {
    it('get the same 403, whether the variable is set or not', async () => {
      const set = await one(kind, { open: 1, db_password: VALUE });
      const unset = await one(kind, { open: 1 });
      const user = await withRoles('*:write', 'open');
      const attemptsWith = (query: string): Send[] => [
        (path) => user.put(`${path}/variables${query}`, { db_password: VALUE }),
        (path) => user.put(`${path}/variables${query}`, { db_password: OTHER }),
        (path) => user.put(`${path}/variables${query}`, { db_password: VALUE }, { 'If-Match': '"1"' }),
        (path) => user.put(`${path}/variables${query}`, { key: 'db_password', value: VALUE }),
        (path) => user.put(`${path}/variables${query}`, { open: 2, db_password: null }),
        (path) => user.delete(`${path}/variables${query}`, { key: 'db_password' }),
        (path) => user.delete(`${path}/variables${query}`, { key: 'db_password', value: VALUE }),
        (path) => user.delete(`${path}/variables${query}`, ['open', 'db_password']),
        (path) => user.delete(`${path}/variables${query}`, { open: 1, db_password: 1 }),
        (path) => user.put(`${path}/variables/db_password${query}`, { value: VALUE }),
        (path) => user.put(`${path}/variables/db_password${query}`, { value: 1 }, { 'If-Match': '*' }),
        (path) => user.put(`${path}/variables/db_password${query}`, { value: 1 }, { 'If-None-Match': '*' }),
        (path) => user.delete(`${path}/variables/db_password${query}`),
      ];
      const attempts = attemptsWith('').map((_, i) => attemptsWith(queryOf(kind, i))[i]!);
      for (const [i, send] of attempts.entries()) {
        // Collections share their code: each attempt is made on some of them, as a dry run and in earnest.
        if ((i + (owners.indexOf(kind) >> 1)) % 2 > 0) continue;
        const [ofSet, ofUnset] = [await send(set), await send(unset)];
        expect([i, comparable(ofSet)]).toEqual([i, comparable(ofUnset)]);
        expect([i, ofSet.status]).toEqual([i, 403]);
        expect(ofSet.text).toContain('db_password');
        expect(ofSet.text).not.toContain('zq7');
      }
      expect(await variablesOf(set)).toEqual({ open: 1, db_password: VALUE });
      expect(await variablesOf(unset)).toEqual({ open: 1 });
      expect((await admin.get(set)).body).toMatchObject({ version: 2 });
    });
  });

  describe.each(each(some))('on %s', (_, kind) => {
    it('are allowed only for the keys of a role', async () => {
      const path = await one(kind, { open: 1, secret_a: VALUE });
      const user = await withRoles('db_password');
      const response = await user.put(`${path}/variables`, { db_password: OTHER }).expect(200);
      expect((response.body as Resource).variables).toEqual({ open: 1, db_password: OTHER });
      expect((await user.put(`${path}/variables`, { db_password: 1, secret_a: 1 })).status).toBe(403);
      await user.delete(`${path}/variables`, ['db_password']).expect(204);
      const wider = await withRoles('secret_*');
      await wider.put(`${path}/variables`, { secret_a: 1, secret_b: 2 }).expect(200);
      expect((await wider.put(`${path}/variables`, { db_password: 1 })).status).toBe(403);
      expect(await variablesOf(path)).toEqual({ open: 1, secret_a: 1, secret_b: 2 });
    });

    it('are allowed to admins and root', async () => {
      const path = await one(kind, {});
      await admin.put(`${path}/variables`, { db_password: VALUE }).expect(200);
      await app.root.put(`${path}/variables`, { secret_a: VALUE }).expect(200);
      await admin.delete(`${path}/variables`, ['db_password']).expect(204);
      expect(await variablesOf(path)).toEqual({ secret_a: VALUE });
    });
  });

  describe.each(each(inventory))('on %s', (collection, kind) => {
    it('are rejected in a PUT of the resource, together with its other fields', async () => {
      const set = await one(kind, { db_password: VALUE });
      const unset = await one(kind, {});
      const user = await withRoles('*:write');
      const before = [(await admin.get(set)).body as unknown, (await admin.get(unset)).body as unknown];
      for (const [i, body] of [
        { variables: { db_password: VALUE } },
        { variables: { db_password: OTHER, open: 1 } },
        { ...kind.change(), variables: { db_password: VALUE } },
      ].entries()) {
        const query = queryOf(kind, i);
        const [ofSet, ofUnset] = [await user.put(set + query, body), await user.put(unset + query, body)];
        expect(comparable(ofSet)).toEqual(comparable(ofUnset));
        expect(ofSet.status).toBe(403);
      }
      expect([(await admin.get(set)).body, (await admin.get(unset)).body]).toEqual(before);
    });

    it('are rejected on creation, unless the user has a role for them', async () => {
      const user = await withRoles('*:write');
      const body = await kind.body(admin);
      const path = `/v1/${collection}`;
      for (const variables of [{ db_password: VALUE }, { open: 1, secret_: null }]) {
        const rejected = await user.post(path, { ...body, variables });
        expect(rejected.status).toBe(403);
        expect((rejected.body as { message: string }).message).toMatch(
          /^Writing the variable "(db_password|secret_)" needs a role for the variable: it is private\.$/,
        );
        expect((await user.post(`${path}?dry_run=true`, { ...body, variables })).status).toBe(403);
      }
      const granted = await withRoles('*:write', 'db_*');
      const made = await granted.post(path, { ...body, variables: { db_password: VALUE } }).expect(201);
      expect(made.body).toMatchObject({ version: 1 });
      const another = await kind.body(admin);
      await user.post(path, { ...another, variables: { open: 1 } }).expect(201);
    });

    it('do not happen when other variables or the resource are written', async () => {
      const path = await one(kind, { db_password: VALUE, open: 1 });
      const user = await withRoles('*:write');
      await user.put(`${path}/variables`, { open: 2 }).expect(200);
      await user.put(path, { ...kind.change(), variables: { open: 3 } }).expect(200);
      await user.put(path, kind.change()).expect(200);
      await user.delete(`${path}/variables`, ['open']).expect(204);
      expect(await variablesOf(path)).toEqual({ db_password: VALUE });
    });

    it('are not needed to delete a resource with private variables', async () => {
      const path = await one(kind, { db_password: VALUE });
      const user = await withRoles(`${collection}:write`);
      await user.delete(path).expect(204);
      expect((await admin.get(path)).status).toBe(404);
    });
  });

  it('are rejected without naming other private variables', async () => {
    const host = await admin.host({ variables: { db_password: VALUE, secret_key: VALUE } });
    const user = await withRoles('hosts:write');
    const response = await user.put(`/v1/hosts/${String(host.id)}/variables`, { secret_other: 1 });
    expect(response.status).toBe(403);
    expect(response.text).toContain('secret_other');
    expect(response.text).not.toMatch(/db_password|secret_key|zq7/);
  });

  it('get the same 403 as other variables for a user who may write none', async () => {
    const host = await admin.host({ variables: { db_password: VALUE } });
    const path = `/v1/hosts/${String(host.id)}/variables`;
    const user = await withRoles('something');
    const messages = [];
    for (const key of ['db_password', 'kernel'])
      messages.push(((await user.put(path, { [key]: 1 }).expect(403)).body as { message: string }).message);
    expect(messages[0]?.replace('db_password', 'kernel')).toBe(messages[1]);
  });

  it('are not needed to move a device or to change its labels', async () => {
    const [region, elsewhere] = [
      await admin.region({ variables: { db_password: VALUE } }),
      await admin.region({ variables: { db_password: OTHER } }),
    ];
    const host = await admin.host({ region_id: region.id });
    const label = await admin.label({ variables: { secret_a: VALUE } });
    const user = await withRoles('hosts:write');
    const path = `/v1/hosts/${String(host.id)}`;
    const moved = await user.put(path, { region_id: elsewhere.id, labels: [label['label']] }).expect(200);
    expect((moved.body as Resource).variables).toEqual({});
    expect((await admin.get(path)).body).toMatchObject({
      variables: { db_password: OTHER, secret_a: VALUE },
    });
  });

  describe("are limited by the size of a resource's variables (1 MiB)", () => {
    const MIB = 1024 * 1024;
    /** A document with one key and an exact size in bytes, as stored. */
    const document = (key: string, bytes: number) => ({ [key]: 'x'.repeat(bytes - `{"${key}": ""}`.length) });

    it('which ignores private variables for users who cannot see them', async () => {
      const user = await withRoles('hosts:write', 'open', 'other');
      const hiding = [0, 700_000, MIB].map((bytes) => (bytes > 0 ? document('db_password', bytes) : {}));
      const hosts = await Promise.all(hiding.map((variables) => admin.host({ variables })));
      for (const query of ['?dry_run=true', ''])
        for (const [bytes, status] of [
          [MIB, 200],
          [MIB + 1, 400],
        ] as const) {
          const responses = [];
          for (const { id } of hosts)
            responses.push(
              await user.put(`/v1/hosts/${String(id)}/variables${query}`, document('open', bytes)),
            );
          expect([query, bytes, ...responses.map((response) => response.status)]).toEqual([
            ...[query, bytes],
            ...hosts.map(() => status),
          ]);
          if (status === 400)
            expect(new Set(responses.map(({ text }) => text.replace(/"request_id":"[^"]*"/, ''))).size).toBe(
              1,
            );
        }
    });

    it('which counts private variables for users who see them, except when the size shrinks', async () => {
      const host = await admin.host({ variables: document('db_password', 700_000) });
      const path = `/v1/hosts/${String(host.id)}`;
      await admin.put(`${path}/variables`, document('open', 700_000)).expect(400);
      const user = await withRoles('hosts:write', 'open');
      await user.put(`${path}/variables`, document('open', 700_000)).expect(200);
      await admin.put(`${path}/variables`, { other: 1 }).expect(400);
      await admin.put(path, { active: false }).expect(200);
      await admin.put(`${path}/variables`, document('open', 600_000)).expect(200);
      await admin.delete(`${path}/variables`, ['open']).expect(204);
      await admin.put(`${path}/variables`, { other: 1 }).expect(200);
    });

    it('which also bounds the total of users who see different variables', async () => {
      const host = await admin.host();
      const path = `/v1/hosts/${String(host.id)}/variables`;
      const responses = [];
      for (const key of ['db_password', 'secret_a', 'open'])
        responses.push(await (await withRoles(key)).put(path, document(key, 700_000)));
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 400]);
    });
  });

  it('need no role for a variable that is no longer private', async () => {
    const other = await app.project();
    const settings = `/v1/projects/${other.projectId}/settings`;
    const host = await other.host({ variables: { db_password: VALUE } });
    const path = `/v1/hosts/${String(host.id)}/variables`;
    const user = await other.user({ roles: ['hosts:write'] });
    await user.put(path, { db_password: 1 }).expect(200);
    await other.put(settings, { private: ['db_*'] }).expect(200);
    await user.put(path, { db_password: 2 }).expect(403);
    await other.put(settings, { private: [aName('k').replace('-', '_')] }).expect(200);
    await user.put(path, { db_password: 3 }).expect(200);
  });
});
