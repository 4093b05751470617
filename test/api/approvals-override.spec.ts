import { OVERRIDE, rejectedByRule, setRules } from '../support/approvals';
import { countOfChanges, sendBatch } from '../support/batches';
import { aName, type Caller, type Resource } from '../support/caller';
import { FeedReader } from '../support/feed-reader';
import { amend, applyProposal, propose } from '../support/proposals';
import { lastChange, revert } from '../support/reverts';
import { sharedService } from '../support/service';

interface GovernedRecord {
  readonly id: number;
  readonly override: string | null;
  readonly proposal: unknown;
}

const ALL = { approvals: 1 };

// The feed waits for transactions of other test files.
jest.setTimeout(120_000);

describe('X-Change-Override', () => {
  const app = sharedService();
  let admin: Caller;
  let writer: Caller;
  let region: Resource;
  const path = () => `/v1/regions/${String(region.id)}`;
  beforeEach(async () => {
    admin = await app.project();
    writer = await admin.user({ roles: ['*:write'] });
    region = await admin.region();
    await setRules(admin, [ALL]).expect(200);
  });

  it('is recorded, and shown wherever records are', async () => {
    rejectedByRule(await admin.put(path(), { note: 'a' }));
    await admin.put(path(), { note: 'a' }, { ...OVERRIDE, 'X-Change-Reason': 'CHG-1' }).expect(200);
    const override = OVERRIDE['X-Change-Override'];
    const record = await lastChange<GovernedRecord>(admin);
    expect(record).toMatchObject({ override, proposal: null, reason: 'CHG-1' });
    const single = await admin.get(`/v1/changes/${String(record.id)}`).expect(200);
    expect(single.body).toMatchObject({ override, proposal: null });
    const history = await admin.get(`${path()}/changes`).expect(200);
    expect((history.body as GovernedRecord[]).map((one) => one.override)).toEqual([null, override]);
    const overridden = await admin.get('/v1/changes?override=true').expect(200);
    expect((overridden.body as GovernedRecord[]).map(({ id }) => id)).toEqual([record.id]);
    const others = (await admin.get('/v1/changes?override=false').expect(200)).body as GovernedRecord[];
    expect(others.map(({ id }) => id)).not.toContain(record.id);
    expect(others.length).toBe((await countOfChanges(admin)) - 1);
    await admin.get('/v1/changes?override=why').expect(400);
    const feed = new FeedReader(admin);
    await feed.toEnd();
    expect(feed.read.find(({ id }) => id === record.id)).toMatchObject({ override, proposal: null });
  });

  it('passes the rules for batches, imports and root users, too', async () => {
    const operations = [{ method: 'PUT' as const, path: path(), body: { note: 'b' } }];
    rejectedByRule(await sendBatch(admin, operations));
    await sendBatch(admin, operations, '', OVERRIDE).expect(200);
    const root = app.root.in(admin.projectId);
    rejectedByRule(await root.put(path(), { note: 'c' }));
    await root.put(path(), { note: 'c' }, OVERRIDE).expect(200);
    expect(await lastChange(admin)).toMatchObject({ override: OVERRIDE['X-Change-Override'] });
    // By the id of a resource, root reaches it from the first project.
    rejectedByRule(await app.root.put(path(), { note: 'd' }));
  });

  it('is shown by dry runs, which then need no approval', async () => {
    const { body } = await admin.put(`${path()}?dry_run=true`, { note: 'b' }, OVERRIDE).expect(200);
    expect(body).toMatchObject({ change: { override: OVERRIDE['X-Change-Override'], proposal: null } });
    expect(body).not.toHaveProperty('approval_required');
  });

  it('is for admins only, and must say something', async () => {
    const forbidden = await writer.put(path(), { note: 'a' }, OVERRIDE).expect(403);
    expect(forbidden.body).toMatchObject({
      code: 'forbidden',
      details: [{ code: 'missing_role', role: 'admin' }],
    });
    await writer.get(path(), OVERRIDE).expect(200);
    for (const text of ['', ' ', 'x'.repeat(2_001)]) {
      const { body } = await admin.put(path(), { note: 'a' }, { 'X-Change-Override': text }).expect(400);
      expect(body).toMatchObject({ details: [{ field: 'X-Change-Override' }] });
    }
    expect((await admin.get(path())).body).toMatchObject({ version: 1 });
  });

  it('applies a proposal without approvals, but never over what others have changed', async () => {
    const proposal = await propose(writer, [{ method: 'PUT', path: path(), body: { note: 'proposed' } }]);
    const refused = await applyProposal(admin, proposal).expect(409);
    expect(refused.body).toMatchObject({ code: 'approval_missing', approvals: { required: 1, given: 0 } });
    await admin.put(path(), { note: 'other' }, OVERRIDE).expect(200);
    const conflict = await applyProposal(admin, proposal, OVERRIDE).expect(409);
    expect(conflict.body).toMatchObject({ code: 'conflict', details: [{ code: 'inconsistent' }] });
    await amend(writer, proposal, { rebase: true }).expect(200);
    await applyProposal(writer, proposal, OVERRIDE).expect(403);
    const override = OVERRIDE['X-Change-Override'];
    const preview = await admin
      .post(`/v1/proposals/${String(proposal.id)}/apply?dry_run=true`, undefined, OVERRIDE)
      .expect(200);
    expect(preview.body).toMatchObject({
      change: { override, proposal: { id: proposal.id, approvers: [] } },
    });
    await applyProposal(admin, proposal, OVERRIDE).expect(200);
    expect(await lastChange(admin)).toMatchObject({
      override,
      proposal: { id: proposal.id, revision: 2, approvers: [] },
    });
  });

  it('is recorded only where it has passed a rule', async () => {
    await setRules(admin, [{ ...ALL, collections: ['regions'] }], OVERRIDE).expect(200);
    const { id } = await admin.host({ region_id: region.id });
    const preview = await admin
      .put(`/v1/hosts/${String(id)}?dry_run=true`, { note: 'a' }, OVERRIDE)
      .expect(200);
    expect(preview.body).toMatchObject({ change: { override: null } });
    await admin.put(`/v1/hosts/${String(id)}`, { note: 'a' }, OVERRIDE).expect(200);
    expect(await lastChange(admin)).toMatchObject({ override: null });
    await setRules(admin, [], OVERRIDE).expect(200);
    await admin.put(path(), { note: 'a' }, OVERRIDE).expect(200);
    expect(await lastChange(admin)).toMatchObject({ override: null });
  });
});

describe('rules for approvals', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  it('are changed under all of the rules', async () => {
    const rules = [
      { keys: ['ntp_*'], approvals: 1 },
      { min_devices: 1_000, approvals: 2 },
    ];
    await setRules(admin, rules).expect(200);
    const settings = `/v1/projects/${admin.projectId}/settings`;
    expect((await admin.get(settings)).body).toMatchObject({ approvals: rules });
    for (const caller of [admin, app.root])
      for (const changed of [[], rules.slice(0, 1), [...rules, ALL]])
        expect(rejectedByRule(await caller.put(settings, { approvals: changed }))).toEqual([
          'approvals[0]',
          'approvals[1]',
        ]);
    // Other settings meet no rule, and rules that stay as they are do not, either.
    await admin.put(settings, { unique_addresses: true, approvals: rules }).expect(200);
    await setRules(admin, [ALL], OVERRIDE).expect(200);
    expect(await lastChange(admin)).toMatchObject({ override: OVERRIDE['X-Change-Override'] });
    rejectedByRule(await admin.post('/v1/regions', { name: aName('region') }));
  });

  it('cannot be removed by a revert', async () => {
    await setRules(admin, [{ collections: ['hosts'], approvals: 1 }]).expect(200);
    const { id } = await lastChange(admin);
    // The first change of settings creates them, so its revert deletes them.
    for (const caller of [admin, app.root, app.root.in(admin.projectId)])
      expect(rejectedByRule(await revert(caller, id))).toEqual(['approvals[0]']);
    await admin.post(`/v1/changes/${String(id)}/revert`, undefined, OVERRIDE).expect(201);
    await admin.host();
  });

  it('do not govern users, keys, definitions and access secrets', async () => {
    await setRules(admin, [ALL]).expect(200);
    const user = await admin.user();
    const [{ id } = { id: 0 }] = (await admin.get(`/v1/users?username=${user.credentials.user}`))
      .body as Resource[];
    await admin.put(`/v1/users/${String(id)}`, { roles: ['hosts:write'] }).expect(200);
    await admin.put(`/v1/users/${String(id)}/variables`, { ntp_servers: 1 }).expect(200);
    await admin.secret();
    await admin.definition();
  });

  it('let updates through that change nothing', async () => {
    const { id } = await admin.region({ note: 'n' });
    await setRules(admin, [ALL]).expect(200);
    await admin.put(`/v1/regions/${String(id)}`, { note: 'n' }).expect(200);
    await admin.delete(`/v1/regions/${String(id)}/variables`, ['none']).expect(204);
  });

  it('look at private variables, but name none to users who do not see them', async () => {
    const settings = { private: ['secret_*'], approvals: [{ keys: ['secret_a'], approvals: 1 }] };
    const [north, south] = [await admin.region({ variables: { secret_a: 1 } }), await admin.region()];
    const host = await admin.host({ region_id: north.id });
    await admin.put(`/v1/projects/${admin.projectId}/settings`, settings).expect(200);
    const writer = await admin.user({ roles: ['*:write'] });
    const response = await writer.put(`/v1/hosts/${String(host.id)}`, { region_id: south.id });
    expect(rejectedByRule(response)).toEqual(['approvals[0]']);
    expect(response.text).not.toContain('secret');
    const seen = await admin.put(`/v1/hosts/${String(host.id)}`, { region_id: south.id });
    expect(seen.body).toMatchObject({ message: expect.stringContaining('secret_a') as string });
  });

  it('are validated', async () => {
    const cases: readonly [unknown, string][] = [
      ['x', 'must be an array'],
      [[1], '[0]: a rule is an object'],
      [[{}], '[0]: a rule needs approvals'],
      [[ALL, { approvals: 0 }], '[1]: approvals must be an integer from 1 to 20'],
      [[{ approvals: 21 }], 'approvals must be an integer'],
      [[{ ...ALL, min_devices: 0 }], 'min_devices must be an integer'],
      [[{ ...ALL, keys: [] }], 'keys must be an array'],
      [[{ ...ALL, keys: ['1x'] }], 'neither a variable'],
      [[{ ...ALL, keys: [1] }], 'a key is a string'],
      [[{ ...ALL, collections: 'regions' }], 'collections must be an array'],
      [[{ ...ALL, collections: ['racks'] }], 'must be of'],
      [[{ ...ALL, collections: ['users'] }], 'must be of'],
      [[{ ...ALL, approvers: 'host:write' }], 'did you mean hosts:write?'],
      [[{ ...ALL, approvers: 'no role!' }], 'neither'],
      [[{ ...ALL, approvers: 1 }], 'approvers must be a role'],
      [[{ ...ALL, who: 'x' }], 'a rule has no member "who"'],
      [Array.from({ length: 51 }, () => ALL), 'at most 50 rules'],
    ];
    for (const [rules, message] of cases) {
      const { status, body } = await setRules(admin, rules as unknown[]);
      expect([rules, status, body]).toEqual([
        rules,
        400,
        expect.objectContaining({ message: expect.stringContaining(message) as string }),
      ]);
    }
    const complete = {
      ...{ keys: ['a', 'b_*'], collections: ['hosts', 'regions'], min_devices: 3, approvals: 2 },
      approvers: 'admin',
    };
    await setRules(admin, [
      complete,
      { ...ALL, approvers: 'ntp_*' },
      { ...ALL, approvers: '*:write' },
    ]).expect(200);
  });
});
