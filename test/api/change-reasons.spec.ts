import type { Response, Test } from 'supertest';
import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { eachWith, makeOne } from '../support/collections';

const PATTERN = '^(CHG|INC)-\\d+: ';
const REASON = { 'X-Change-Reason': 'CHG-1042: new rack' };

type Headers = Readonly<Record<string, string>>;

interface Change {
  readonly reason: string | null;
  readonly objects: readonly { readonly kind: string }[];
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
}

describe('a demanded reason', () => {
  const app = sharedService();
  const demand = async (caller: Caller, pattern: string | null = PATTERN, required = true) => {
    const path = `/v1/projects/${caller.projectId}/settings`;
    await app.root.put(path, { change_reason: { required, pattern } }, REASON).expect(200);
  };

  /** A project that demands reasons, and its admin. */
  async function demanding(pattern: string | null = PATTERN, required = true): Promise<Caller> {
    const admin = await app.project();
    await demand(admin, pattern, required);
    return admin;
  }

  const records = async (caller: Caller): Promise<Change[]> =>
    (await caller.get(`/v1/changes?limit=10000&project_id=${caller.projectId}`).expect(200)).body as Change[];

  /** Refused without a reason and with one that will not do, and nothing is written; then done with one that will. */
  async function expectDemand(caller: Caller, send: (headers: Headers) => Test): Promise<Response> {
    const before = await records(caller);
    const without = await send({});
    expect([without.status, (without.body as Refusal).details]).toEqual([
      400,
      [{ field: 'X-Change-Reason', message: expect.stringContaining(PATTERN) as string }],
    ]);
    const another = await send({ 'X-Change-Reason': 'because' });
    expect([another.status, (another.body as Refusal).details]).toEqual([
      400,
      [{ field: 'X-Change-Reason', message: expect.stringContaining(PATTERN) as string }],
    ]);
    expect((another.body as Refusal).code).toBe('invalid_request');
    expect(await records(caller)).toEqual(before);
    const done = await send(REASON);
    expect([200, 201, 204]).toContain(done.status);
    return done;
  }

  it.each(eachWith(({ collection }) => collection !== 'projects'))(
    'is asked of %s: of a creation, a change and a deletion',
    async (_, one) => {
      const caller = await one.caller(app);
      const body = await one.body(caller);
      await demand(caller);
      const path = `/v1/${one.collection}`;
      const made = (await expectDemand(caller, (headers) => caller.post(path, body, headers)))
        .body as Resource;
      const itself = `${path}/${String(made.id)}`;
      await expectDemand(caller, (headers) => caller.put(itself, one.change(), headers));
      await expectDemand(caller, (headers) => caller.delete(itself, undefined, headers));
    },
  );

  it('is asked of projects: of their change, their settings and their deletion', async () => {
    const { body } = await app.root.post('/v1/projects', { name: aName('project') }).expect(201);
    const inside = app.root.in((body as { id: string }).id);
    await demand(inside);
    const itself = `/v1/projects/${inside.projectId}`;
    await expectDemand(inside, (headers) => inside.put(itself, { name: aName('renamed') }, headers));
    await expectDemand(inside, (headers) => inside.put(`${itself}/settings`, { private: ['a'] }, headers));
    // Whoever is in another project makes no difference: the project that is written decides.
    await expectDemand(inside, (headers) => app.root.put(itself, { name: aName('renamed') }, headers));
    await expectDemand(inside, (headers) => inside.delete(itself, undefined, headers));
    // A project that comes into being demands nothing yet, whatever that of the header does.
    await (
      await demanding()
    )
      .as(app.root.credentials)
      .post('/v1/projects', { name: aName('p') })
      .expect(201);
  });

  it.each(eachWith(({ carriesVariables }) => carriesVariables))(
    'is asked of variables of %s',
    async (_, one) => {
      const { caller, path } = await makeOne(app, one);
      await demand(caller);
      const variables = `${path}/variables`;
      await expectDemand(caller, (headers) => caller.put(variables, { a: 1, b: 2 }, headers));
      await expectDemand(caller, (headers) => caller.put(variables, { key: 'a', value: 2 }, headers));
      await expectDemand(caller, (headers) => caller.delete(variables, ['a'], headers));
      // Also where nothing changes by it.
      await expectDemand(caller, (headers) => caller.put(variables, { b: 2 }, headers));
      await expectDemand(caller, (headers) => caller.delete(variables, ['never'], headers));
    },
  );

  it.each(['hosts', 'network-devices'])('is asked of labels of %s, and of moves', async (collection) => {
    const admin = await app.project();
    const cell = await admin.cell();
    const region = await admin.region();
    const make = { hosts: () => admin.host(), 'network-devices': () => admin.networkDevice() };
    const device = await make[collection as keyof typeof make]();
    const path = `/v1/${collection}/${String(device.id)}`;
    const place = { region_id: cell['region_id'], cell_id: cell.id };
    await demand(admin);
    await expectDemand(admin, (headers) => admin.put(`${path}/labels`, { labels: ['a', 'b'] }, headers));
    await expectDemand(admin, (headers) => admin.delete(`${path}/labels`, { labels: ['a'] }, headers));
    await expectDemand(admin, (headers) => admin.put(path, place, headers));
    const move = { cells: [cell.id] };
    await expectDemand(admin, (headers) => admin.put(`/v1/regions/${String(region.id)}`, move, headers));
  });

  it("is asked of users' keys, also of those who give one to themselves", async () => {
    const admin = await app.project();
    const user = await admin.user();
    const found = await admin.get(`/v1/users?username=${user.credentials.user}`).expect(200);
    const path = `/v1/users/${String((found.body as Resource[])[0]?.id)}/api-key`;
    await demand(admin);
    const answer = await expectDemand(user, (headers) => user.post(path, undefined, headers));
    expect((answer.body as { api_key: string }).api_key).toMatch(/^mst_/);
  });

  it('is asked of a dry run as of the real one', async () => {
    const admin = await app.project();
    const host = await admin.host();
    await demand(admin);
    const path = `/v1/hosts/${String(host.id)}`;
    for (const send of [
      (headers: Headers) => admin.put(`${path}?dry_run=true`, { active: false }, headers),
      (headers: Headers) => admin.delete(`${path}?dry_run=true`, undefined, headers),
      (headers: Headers) => admin.post('/v1/regions?dry_run=true', { name: aName('region') }, headers),
    ])
      await expectDemand(admin, send);
    expect((await admin.get(path).expect(200)).body).toMatchObject({ version: 1 });
  });

  it('may be the note of the body, and the header before it', async () => {
    const admin = await demanding();
    const name = () => ({ name: aName('region') });
    const noted = await admin.post('/v1/regions', { ...name(), note: 'INC-7: more room' }).expect(201);
    const path = `/v1/regions/${String((noted.body as Resource).id)}`;
    await admin.put(path, { note: 'INC-8: less room' }).expect(200);
    await admin.post('/v1/regions', { ...name(), note: 'more room' }, REASON).expect(201);
    expect((await records(admin)).slice(-3).map(({ reason }) => reason)).toEqual([
      'INC-7: more room',
      'INC-8: less room',
      'CHG-1042: new rack',
    ]);
    for (const [note, headers] of [
      ['more room', {}],
      ['', {}],
      [null, {}],
      ['INC-7: more room', { 'X-Change-Reason': 'more room' }],
    ] as const) {
      const answer = await admin.post('/v1/regions', { ...name(), note }, headers);
      expect([note, answer.status]).toEqual([note, 400]);
    }
    // A note that was given with an earlier change is no reason for a later one.
    await admin.put(path, { name: aName('renamed') }).expect(400);
  });

  it('says what is expected, and what is wrong', async () => {
    const any = await demanding(null);
    const region = { name: aName('region') };
    const refused = await any.post('/v1/regions', region).expect(400);
    expect((refused.body as Refusal).message).toBe(
      'X-Change-Reason: changes in this project need a reason, in this header, or as the note of a body that has one',
    );
    await any.post('/v1/regions', region, { 'X-Change-Reason': '  ' }).expect(400);
    await any.post('/v1/regions', region, { 'X-Change-Reason': 'x' }).expect(201);
    const optional = await demanding('^CHG', false);
    await optional.post('/v1/regions', region).expect(201);
    const wrong = await optional
      .post('/v1/regions', { name: aName('region') }, { 'X-Change-Reason': 'because' })
      .expect(400);
    expect((wrong.body as Refusal).message).toBe(
      'X-Change-Reason: the reason of a change in this project must be one that matches ^CHG',
    );
  });

  it('is no longer asked once the settings say so, for which they still ask it', async () => {
    const admin = await demanding();
    const path = `/v1/projects/${admin.projectId}/settings`;
    await admin.put(path, { change_reason: null }).expect(400);
    await admin.put(path, { change_reason: null }, REASON).expect(200);
    await admin.region();
    // And not yet for the change that makes them ask.
    await admin.put(path, { change_reason: { required: true, pattern: PATTERN } }).expect(200);
    await admin.post('/v1/regions', { name: aName('region') }).expect(400);
  });

  it.each([
    ['that backtracks without end elsewhere', '(a+)+$'],
    ['of choices within repeats', '^(a|aa|a?)*$'],
    ['of many repeats', `^${'(?:a?){30}'.repeat(4)}$`],
    ['as large as one may be', 'a{0,990}!'],
  ])(
    'is held against a pattern %s while others are answered',
    async (_, pattern) => {
      const admin = await demanding(pattern, false);
      const note = `${'a'.repeat(9_000)}?`;
      // The process has one thread: if one question took long, the other would have to wait for it.
      const slow = Promise.all(
        Array.from({ length: 5 }, () => admin.post('/v1/regions', { name: aName('region'), note })),
      );
      expect((await admin.get('/v1/users')).status).toBe(200);
      for (const { status } of await slow) expect(status).toBe(400);
    },
    20_000,
  );
});
