import type { Response, Test } from 'supertest';
import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { makeOne, someCollections } from '../support/collections';
import { asLines, sendImport } from '../support/importing';
import { lastChange } from '../support/reverts';

const PATTERN = '^(CHG|INC)-\\d+: ';
const REASON = { 'X-Change-Reason': 'CHG-1042: new rack' };

type Headers = Readonly<Record<string, string>>;

interface Change {
  readonly request_id: string;
  readonly reason: string | null;
  readonly objects: readonly { readonly kind: string }[];
}

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
}

describe('a required change reason', () => {
  const app = sharedService();
  const requireReason = async (caller: Caller, pattern: string | null = PATTERN, required = true) => {
    const path = `/v1/projects/${caller.projectId}/settings`;
    await app.root.put(path, { change_reason: { required, pattern } }, REASON).expect(200);
  };

  /** Creates a project that requires reasons, and returns its admin. */
  async function projectRequiringReason(pattern: string | null = PATTERN, required = true): Promise<Caller> {
    const admin = await app.project();
    await requireReason(admin, pattern, required);
    return admin;
  }

  const records = async (caller: Caller): Promise<Change[]> =>
    (await caller.get(`/v1/changes?limit=10000&project_id=${caller.projectId}`).expect(200)).body as Change[];

  /** Expects a rejection without a reason and with one that does not match, then success with one that does. */
  async function expectReasonRequired(caller: Caller, send: (headers: Headers) => Test): Promise<Response> {
    const without = await send({});
    expect([without.status, (without.body as ErrorBody).details]).toEqual([
      400,
      [{ field: 'X-Change-Reason', code: 'required', message: expect.stringContaining(PATTERN) as string }],
    ]);
    const another = await send({ 'X-Change-Reason': 'because' });
    expect([another.status, (another.body as ErrorBody).details]).toEqual([
      400,
      [
        {
          field: 'X-Change-Reason',
          code: 'invalid_format',
          message: expect.stringContaining(PATTERN) as string,
        },
      ],
    ]);
    expect((another.body as ErrorBody).code).toBe('invalid_request');
    const refused = [without, another].map(({ headers }) => headers['x-request-id'] as unknown);
    const recorded = (await records(caller)).map(({ request_id: id }) => id);
    expect(recorded.filter((id) => refused.includes(id))).toEqual([]);
    const done = await send(REASON);
    expect([200, 201, 204]).toContain(done.status);
    return done;
  }

  // Nothing writes without an operation (routes.spec.ts), and all operations are checked in one place.
  it.each(someCollections.filter(([name]) => name !== 'projects'))(
    'applies to creating, updating and deleting %s',
    async (_, one) => {
      const caller = await one.caller(app);
      const body = await one.body(caller);
      await requireReason(caller);
      const path = `/v1/${one.collection}`;
      const made = (await expectReasonRequired(caller, (headers) => caller.post(path, body, headers)))
        .body as Resource;
      const itself = `${path}/${String(made.id)}`;
      await expectReasonRequired(caller, (headers) => caller.put(itself, one.change(), headers));
      await expectReasonRequired(caller, (headers) => caller.delete(itself, undefined, headers));
    },
  );

  it('applies to updating projects, their settings and their deletion', async () => {
    const { body } = await app.root.post('/v1/projects', { name: aName('project') }).expect(201);
    const inside = app.root.in((body as { id: string }).id);
    await requireReason(inside);
    const itself = `/v1/projects/${inside.projectId}`;
    await expectReasonRequired(inside, (headers) => inside.put(itself, { name: aName('renamed') }, headers));
    await expectReasonRequired(inside, (headers) =>
      inside.put(`${itself}/settings`, { private: ['a'] }, headers),
    );
    // The written project decides, not the project of the caller.
    await expectReasonRequired(inside, (headers) =>
      app.root.put(itself, { name: aName('renamed') }, headers),
    );
    await expectReasonRequired(inside, (headers) => inside.delete(itself, undefined, headers));
    // A new project requires no reason yet, regardless of the project in the header.
    await (
      await projectRequiringReason()
    )
      .as(app.root.credentials)
      .post('/v1/projects', { name: aName('p') })
      .expect(201);
  });

  // The routes of variables share their code.
  it.each(someCollections.filter(([, one]) => one.carriesVariables))(
    'applies to variables of %s',
    async (_, one) => {
      const { caller, path } = await makeOne(app, one);
      await requireReason(caller);
      const variables = `${path}/variables`;
      await expectReasonRequired(caller, (headers) => caller.put(variables, { a: 1, b: 2 }, headers));
      await expectReasonRequired(caller, (headers) => caller.put(variables, { key: 'a', value: 2 }, headers));
      await expectReasonRequired(caller, (headers) => caller.delete(variables, ['a'], headers));
      // Also if the write changes nothing.
      await expectReasonRequired(caller, (headers) => caller.put(variables, { b: 2 }, headers));
      await expectReasonRequired(caller, (headers) => caller.delete(variables, ['never'], headers));
    },
  );

  it('applies to labels of hosts, and to moves', async () => {
    const admin = await app.project();
    const cell = await admin.cell();
    const region = await admin.region();
    const device = await admin.host();
    const path = `/v1/hosts/${String(device.id)}`;
    const location = { region_id: cell['region_id'], cell_id: cell.id };
    await requireReason(admin);
    await expectReasonRequired(admin, (headers) =>
      admin.put(`${path}/labels`, { labels: ['a', 'b'] }, headers),
    );
    await expectReasonRequired(admin, (headers) =>
      admin.delete(`${path}/labels`, { labels: ['a'] }, headers),
    );
    await expectReasonRequired(admin, (headers) => admin.put(path, location, headers));
    const move = { cells: [cell.id] };
    await expectReasonRequired(admin, (headers) =>
      admin.put(`/v1/regions/${String(region.id)}`, move, headers),
    );
  });

  it('applies to API keys, also to those that users create for themselves', async () => {
    const admin = await app.project();
    const user = await admin.user();
    const found = await admin.get(`/v1/users?username=${user.credentials.user}`).expect(200);
    const path = `/v1/users/${String((found.body as Resource[])[0]?.id)}/api-key`;
    await requireReason(admin);
    const response = await expectReasonRequired(user, (headers) => user.post(path, undefined, headers));
    expect((response.body as { api_key: string }).api_key).toMatch(/^mst_/);
  });

  it('is said by dry runs', async () => {
    const admin = await app.project();
    const host = await admin.host();
    await requireReason(admin);
    const path = `/v1/hosts/${String(host.id)}`;
    const region = String(host['region_id']);
    for (const send of [
      (headers: Headers) => admin.put(`${path}?dry_run=true`, { active: false }, headers),
      (headers: Headers) => admin.delete(`${path}?dry_run=true`, undefined, headers),
      (headers: Headers) =>
        admin.put(`/v1/hosts/variables?region_id=${region}&dry_run=true`, { variables: { a: 1 } }, headers),
      (headers: Headers) => {
        const operations = [
          { method: 'PUT', path, body: { active: false } },
          { method: 'DELETE', path },
        ];
        return admin.post('/v1/batch?dry_run=true', { operations }, headers);
      },
      (headers: Headers) =>
        sendImport(admin, asLines([{ kind: 'region', name: 'south' }]), '?dry_run=true', headers),
    ]) {
      const rejections = [];
      for (const headers of [{}, { 'X-Change-Reason': 'because' }, REASON]) {
        const { body } = await send(headers).expect(200);
        rejections.push((body as { reason_rejected?: { code: string } }).reason_rejected?.code);
      }
      expect(rejections).toEqual(['required', 'invalid_format', undefined]);
    }
    expect((await admin.get(path).expect(200)).body).toMatchObject({ version: 1 });
    const { body } = await admin.post('/v1/batch', { operations: [{ method: 'DELETE', path }] }).expect(400);
    expect(body).toMatchObject({ details: [{ field: 'X-Change-Reason', code: 'required' }] });
  });

  it('can be the note of the body, which the header overrides', async () => {
    const admin = await projectRequiringReason();
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
      const response = await admin.post('/v1/regions', { ...name(), note }, headers);
      expect([note, response.status]).toEqual([note, 400]);
    }
    // The stored note of an earlier change is not a reason for a later one.
    await admin.put(path, { name: aName('renamed') }).expect(400);
  });

  describe('with an empty header', () => {
    const NO_REASON = { 'X-Change-Reason': '' };
    const note = 'INC-7: more room';
    const path = (collection: string, { id }: Resource) => `/v1/${collection}/${String(id)}`;
    const newest = (admin: Caller): Promise<Change> => lastChange<Change>(admin);

    type Send = (query: string, headers: Headers) => Test;
    /** Writes whose body has a note. They can be repeated. */
    const writes: [string, (admin: Caller) => Promise<Send>][] = [
      [
        'a creation',
        (admin) =>
          Promise.resolve((query, headers) =>
            admin.post(`/v1/regions${query}`, { name: aName('region'), note }, headers),
          ),
      ],
      [
        'a creation of several resources',
        (admin) =>
          Promise.resolve((query, headers) => {
            const body = [{ name: aName('region') }, { name: aName('region'), note }];
            return admin.post(`/v1/regions${query}`, body, headers);
          }),
      ],
      [
        'an update',
        async (admin) => {
          const host = path('hosts', await admin.host());
          return (query, headers) => admin.put(host + query, { name: aName('host'), note }, headers);
        },
      ],
      [
        'an update of the variables of several resources',
        async (admin) => {
          const { id } = await admin.host();
          let a = 0;
          return (query, headers) =>
            admin.put(`/v1/hosts/variables${query}`, { ids: [id], variables: { a: ++a }, note }, headers);
        },
      ],
      [
        'a remediation',
        async (admin) => {
          const [audit, { id }] = [path('audits', await admin.audit()), await admin.host()];
          const body = { level: { kind: 'host', id }, note };
          return (query, headers) => admin.post(`${audit}/remediate${query}`, body, headers);
        },
      ],
      [
        'a revert',
        async (admin) => {
          const regions = [await admin.region(), await admin.region()];
          const changes = (await admin.get('/v1/changes?kind=region').expect(200)).body as Resource[];
          expect(changes).toHaveLength(regions.length);
          let next = 0;
          return (query, headers) => {
            const change = changes[query === '' ? next++ : next]!;
            return admin.post(`${path('changes', change)}/revert${query}`, { note }, headers);
          };
        },
      ],
    ];

    it.each(writes)('the note is not the reason of %s', async (_, prepare) => {
      const admin = await app.project();
      const send = await prepare(admin);
      const preview = await send('?dry_run=true', NO_REASON);
      expect([preview.status, preview.text]).toEqual([200, expect.not.stringContaining('"reason":"INC')]);
      expect((await send('', NO_REASON)).status).toBeLessThan(300);
      expect((await newest(admin)).reason).toBeNull();
      expect((await send('', {})).status).toBeLessThan(300);
      expect((await newest(admin)).reason).toBe(note);
    });

    it.each(writes)('a required reason is missing in %s', async (_, prepare) => {
      const admin = await app.project();
      const send = await prepare(admin);
      await requireReason(admin);
      const before = await records(admin);
      const message = `changes in this project need a reason that matches ${PATTERN}`;
      const { status, body } = await send('', NO_REASON);
      expect([status, (body as ErrorBody).message]).toEqual([400, `X-Change-Reason: ${message}`]);
      const preview = await send('?dry_run=true', NO_REASON);
      expect([preview.status, preview.body]).toEqual([
        200,
        expect.objectContaining({ reason_rejected: { code: 'required', message } }),
      ]);
      expect(await records(admin)).toEqual(before);
    });

    it('a deletion and an import have no reason, as without the header', async () => {
      const admin = await app.project();
      const region = await admin.region();
      const line = { kind: 'region', name: region.name, note };
      await sendImport(admin, asLines([line]), '', NO_REASON).expect(200);
      expect((await newest(admin)).reason).toBeNull();
      await sendImport(admin, asLines([{ ...line, note: 'INC-8' }])).expect(200);
      expect((await newest(admin)).reason).toBeNull();
      await admin.delete(path('regions', region), undefined, NO_REASON).expect(204);
      expect((await newest(admin)).reason).toBeNull();
    });
  });

  it('is explained in the error message', async () => {
    const any = await projectRequiringReason(null);
    const region = { name: aName('region') };
    const refused = await any.post('/v1/regions', region).expect(400);
    expect((refused.body as ErrorBody).message).toBe(
      'X-Change-Reason: changes in this project need a reason',
    );
    await any.post('/v1/regions', region, { 'X-Change-Reason': '  ' }).expect(400);
    await any.post('/v1/regions', region, { 'X-Change-Reason': 'x' }).expect(201);
    const optional = await projectRequiringReason('^CHG', false);
    await optional.post('/v1/regions', region).expect(201);
    const wrong = await optional
      .post('/v1/regions', { name: aName('region') }, { 'X-Change-Reason': 'because' })
      .expect(400);
    expect((wrong.body as ErrorBody).message).toBe(
      'X-Change-Reason: the reason of a change in this project must be one that matches ^CHG',
    );
  });

  it('is still required for the change that turns it off', async () => {
    const admin = await projectRequiringReason();
    const path = `/v1/projects/${admin.projectId}/settings`;
    await admin.put(path, { change_reason: null }).expect(400);
    await admin.put(path, { change_reason: null }, REASON).expect(200);
    await admin.region();
    // Not yet required for the change that turns it on.
    await admin.put(path, { change_reason: { required: true, pattern: PATTERN } }).expect(200);
    await admin.post('/v1/regions', { name: aName('region') }).expect(400);
  });

  it.each([
    ['with catastrophic backtracking in other engines', '(a+)+$'],
    ['with alternatives within repeats', '^(a|aa|a?)*$'],
    ['with many repeats', `^${'(?:a?){30}'.repeat(4)}$`],
    ['of the maximum size', 'a{0,990}!'],
  ])(
    'is matched against a pattern %s without blocking other requests',
    async (_, pattern) => {
      const admin = await projectRequiringReason(pattern, false);
      const note = `${'a'.repeat(9_000)}?`;
      // The process has one thread, so a slow match would block other requests.
      const slow = Promise.all(
        Array.from({ length: 5 }, () => admin.post('/v1/regions', { name: aName('region'), note })),
      );
      expect((await admin.get('/v1/users')).status).toBe(200);
      for (const { status } of await slow) expect(status).toBe(400);
    },
    20_000,
  );
});
