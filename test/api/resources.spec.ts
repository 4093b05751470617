import { sharedService } from '../support/service';
import {
  collections,
  eachCollection,
  eachWith,
  inOneProject,
  makeOne,
  someCollections,
  without,
  type CollectionCase,
} from '../support/collections';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Some of the values, other ones for each collection in turn: all collections share the code that checks them. */
const someOf = <T>(turn: number, values: readonly T[], count: number): T[] =>
  Array.from({ length: count }, (_, i) => values[(count * turn + i) % values.length]!);
const turnOf = (one: CollectionCase): number => someCollections.findIndex(([, other]) => other === one);

/**
 * The rules that apply to every resource. Unknown ids, and those of other projects, are in tenancy.spec.ts, for every route; updates that
 * name no field are in unchanged.spec.ts.
 */
describe('every resource', () => {
  const app = sharedService();
  const shared = inOneProject(app);
  it.each(eachCollection)(
    '%s: a creation returns 201, Location, ETag and the common fields',
    async (_, one) => {
      const caller = await one.caller(shared);
      const body = await one.body(caller);
      const response = await caller.post(`/v1/${one.collection}`, body).expect(201);
      const { id } = response.body;
      expect(response.headers).toMatchObject({
        location: `${app.url}/v1/${one.collection}/${String(id)}`,
        etag: '"1"',
        'content-type': 'application/json',
      });
      expect(response.body).toMatchObject({
        uuid: expect.stringMatching(UUID),
        created_at: expect.stringMatching(TIMESTAMP),
        updated_at: null,
        version: 1,
      });
      expect(response.body).toMatchObject(without(body, 'cert'));
      if (one.collection === 'projects') {
        expect(id).toMatch(UUID);
        expect(response.body).toMatchObject({ uuid: id, project_id: id });
      } else {
        expect(Number.isSafeInteger(id)).toBe(true);
        expect(response.body.project_id).toBe(caller.projectId);
      }
      await caller.get(new URL(String(response.headers['location'])).pathname).expect(200);
    },
  );

  it.each(eachCollection)('%s: single reads, the list and the creation return the same', async (_, one) => {
    const { caller, made, path } = await makeOne(shared, one);
    const created = without(made, 'api_key');
    const shown = await caller.get(path).expect(200);
    expect(shown.headers['etag']).toMatch(/^"1-/);
    expect(without(shown.body, 'cert')).toEqual(created);
    // Root lists the projects of all test files.
    const query = one.collection === 'projects' ? `?name=${String(created['name'])}` : '';
    const { body: list } = await caller.get(`/v1/${one.collection}${query}`).expect(200);
    expect(list).toContainEqual(created);
  });

  it.each(eachCollection)('%s: each missing required field returns 400 with its name', async (_, one) => {
    const caller = await one.caller(shared);
    const body = await one.body(caller);
    for (const missing of Object.keys(body)) {
      const rest = Object.fromEntries(Object.entries(body).filter(([name]) => name !== missing));
      const { body: error } = await caller.post(`/v1/${one.collection}`, rest).expect(400);
      expect(error).toMatchObject({ code: 'invalid_request', details: [{ field: missing }] });
      const { body: nullError } = await caller
        .post(`/v1/${one.collection}`, { ...body, [missing]: null })
        .expect(400);
      expect(nullError.details).toEqual([
        { field: missing, code: 'invalid_type', message: expect.any(String) },
      ]);
    }
    const { body: emptyError } = await caller.post(`/v1/${one.collection}`, {}).expect(400);
    expect(emptyError.details.map((detail: { field: string }) => detail.field).sort()).toEqual(
      Object.keys(body).sort(),
    );
    await caller.post(`/v1/${one.collection}`).expect(400);
  });

  it.each(eachCollection)('%s: an update returns 200, a new version and its time', async (_, one) => {
    const { caller, made, path } = await makeOne(shared, one);
    const change = one.change();
    const response = await caller.put(path, change).expect(200);
    expect(response.headers['etag']).toBe('"2"');
    expect(response.body).toMatchObject({
      ...without(change, 'cert'),
      id: made.id,
      uuid: made.uuid,
      project_id: made.project_id,
      created_at: made['created_at'],
      updated_at: expect.stringMatching(TIMESTAMP),
      version: 2,
    });
    expect(response.body.updated_at > response.body.created_at).toBe(true);
    const { body: again } = await caller.put(path, one.change()).expect(200);
    expect(again.version).toBe(3);
    expect(again.updated_at > response.body.updated_at).toBe(true);
  });

  it.each(someCollections)(
    '%s: setting a read-only field returns 400, on creation and on update',
    async (_, one) => {
      const { caller, made, path } = await makeOne(shared, one);
      const body = await one.body(caller);
      const readOnly = ['id', 'uuid', 'project_id', 'created_at', 'updated_at', 'version'];
      for (const name of someOf(turnOf(one), readOnly, 4)) {
        const value = made[name];
        const onCreation = await caller.post(`/v1/${one.collection}`, { ...body, [name]: value }).expect(400);
        expect(onCreation.body.details).toEqual([
          { field: name, code: expect.any(String), message: expect.any(String) },
        ]);
        const onChange = await caller.put(path, { [name]: value }).expect(400);
        expect(onChange.body.details).toEqual([
          { field: name, code: expect.any(String), message: expect.any(String) },
        ]);
      }
      await caller.put(path, { nothing_of_ours: 1 }).expect(400);
      expect((await caller.get(path).expect(200)).body.version).toBe(1);
    },
  );

  it.each(eachCollection)('%s: no required field can be set to null', async (_, one) => {
    const { caller, path } = await makeOne(shared, one);
    for (const name of Object.keys(await one.body(caller)))
      expect((await caller.put(path, { [name]: null }).expect(400)).body.details).toEqual([
        { field: name, code: expect.any(String), message: expect.any(String) },
      ]);
  });

  it.each(eachCollection)(
    '%s: a deletion returns 204 without a body, and later requests return 404',
    async (_, one) => {
      const { caller, path } = await makeOne(shared, one);
      // A deleted user's keys are revoked, so the user under test is not the caller.
      const response = await caller.delete(path).expect(204);
      expect(response.text).toBe('');
      expect(response.headers).not.toHaveProperty('content-type');
      for (const request of [caller.get(path), caller.put(path, one.change()), caller.delete(path)])
        expect((await request.expect(404)).body).toMatchObject({ code: 'not_found' });
    },
  );

  it.each(someCollections.filter(([name]) => name !== 'projects'))(
    '%s: an impossible id returns 404 if it is an integer, else 400',
    async (_, one) => {
      const caller = await one.caller(shared);
      const integers = ['0', '-1', '9223372036854775807', '9223372036854775808', '9'.repeat(60)];
      for (const id of someOf(turnOf(one), integers, 2))
        await caller.get(`/v1/${one.collection}/${id}`).expect(404);
      const others = ['abc', '1.0', '1e3', '0x1', '+1', '1%20', '%00', 'null', '%D9%A1'];
      for (const id of someOf(turnOf(one), others, 3))
        expect((await caller.get(`/v1/${one.collection}/${id}`).expect(400)).body.details).toEqual([
          { field: 'id', code: 'invalid_format', message: 'must be an integer or a UUID' },
        ]);
    },
  );

  it.each(eachWith((one) => one.unique !== undefined))('%s: a duplicate name returns 409', async (_, one) => {
    const { caller, made } = await makeOne(shared, one);
    const unique = one.unique ?? '';
    const parent = made['region_id'] === undefined ? {} : { region_id: made['region_id'] };
    const body: Record<string, unknown> = { ...(await one.body(caller)), ...parent };
    const taken = { [unique]: made[unique] };
    const { body: error } = await caller.post(`/v1/${one.collection}`, { ...body, ...taken }).expect(409);
    expect(error).toMatchObject({ code: 'conflict', details: [{ field: unique }] });
    const { body: other } = await caller.post(`/v1/${one.collection}`, body).expect(201);
    const renaming = await caller.put(`/v1/${one.collection}/${String(other.id)}`, taken).expect(409);
    expect(renaming.body).toMatchObject({ code: 'conflict', details: [{ field: unique }] });
    // A resource may keep its own name, and names may differ only in case.
    await caller.put(`/v1/${one.collection}/${String(other.id)}`, { [unique]: body[unique] }).expect(200);
    const upper = String(made[unique]).toUpperCase();
    await caller.put(`/v1/${one.collection}/${String(other.id)}`, { [unique]: upper }).expect(200);
  });

  // The name of a definition is a key, with its own syntax.
  const isNamed = eachWith(({ unique }) => unique !== undefined && unique !== 'key');
  it.each(isNamed)('%s: names are validated', async (_, one) => {
    const { caller, path } = await makeOne(shared, one);
    const unique = one.unique ?? '';
    const invalid = ['', 'x'.repeat(256), 'a\u0000b', 'a\nb', '\ud800', 1, true, ['a'], { a: 1 }];
    for (const value of someOf<unknown>(collections.indexOf(one), invalid, 2)) {
      const { body } = await caller.put(path, { [unique]: value }).expect(400);
      expect(body.details).toEqual([
        { field: unique, code: expect.any(String), message: expect.any(String) },
      ]);
    }
    const longest = 'ü'.repeat(240) + path.replaceAll(/\D/g, '').slice(-15).padStart(15, '0');
    for (const value of [longest, `Zoë's "node" ☃ <b> %41 \\ ${path}`, `'; DROP TABLE devices; -- ${path}`]) {
      const { body } = await caller.put(path, { [unique]: value }).expect(200);
      expect(body[unique]).toBe(value);
    }
  });
});
