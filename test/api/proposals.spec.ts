import { aName, type Caller, type Resource } from '../support/caller';
import { hostBody } from '../support/batches';
import {
  amend,
  applyProposal,
  approve,
  expectStatus,
  previewProposal,
  propose,
  type ProposalBody,
  review,
  showProposal,
} from '../support/proposals';
import { sharedService } from '../support/service';

const app = sharedService();
let admin: Caller;
let author: Caller;
let region: Resource;
let host: Resource;
beforeEach(async () => {
  admin = await app.project();
  author = await admin.user();
  region = await admin.region({ name: 'north', variables: { ntp_servers: ['10.0.0.1'], domain: 'example' } });
  host = await admin.host({ name: 'web', region_id: region.id });
});
const regionPath = (suffix = '') => `/v1/regions/${String(region.id)}${suffix}`;
const proposeServers = async (servers: unknown = ['10.0.0.2']): Promise<ProposalBody> =>
  expectStatus(
    await author.put(
      `${regionPath('/variables')}?propose=New%20NTP%20servers`,
      { ntp_servers: servers },
      {
        'X-Change-Reason': 'CHG-1',
      },
    ),
    202,
  ).body as ProposalBody;
const ownVariables = async () =>
  (await admin.get(regionPath('/variables')).expect(200)).body as Record<string, unknown>;

describe('proposing a write', () => {
  it('stores it as it was sent, without doing it, for a user without roles', async () => {
    const response = await author.put(
      `${regionPath('/variables')}?propose=New%20NTP%20servers`,
      '{"ntp_servers": ["10.0.0.2"], "big": 9007199254740993}',
      { 'If-Match': '"1"' },
    );
    const proposal = expectStatus(response, 202).body as ProposalBody;
    expect(response.headers['location']).toBe(`${admin.url}/v1/proposals/${String(proposal.id)}`);
    expect(proposal).toMatchObject({
      title: 'New NTP servers',
      description: null,
      state: 'open',
      revision: 1,
      reason: null,
      author: { username: author.credentials.user },
      resources: [{ kind: 'region', id: region.id, name: 'north' }],
      keys: ['big', 'ntp_servers'],
      operations_total: 1,
      approvals: { required: 1, given: 0 },
      comments_total: 0,
      change_id: null,
      reviews: [],
    });
    const shown = await admin.get(`/v1/proposals/${String(proposal.id)}`).expect(200);
    expect(shown.text).toContain(
      `"operations":[{"method":"PUT","path":"${regionPath('/variables')}","if_match":"\\"1\\"","body":{"ntp_servers": ["10.0.0.2"], "big": 9007199254740993}}]`,
    );
    expect(await ownVariables()).toEqual({ variables: { ntp_servers: ['10.0.0.1'], domain: 'example' } });
  });

  it('takes the reason from the header, or else from the note', async () => {
    expect((await proposeServers()).reason).toBe('CHG-1');
    const noted = await author.put(`${regionPath()}?propose=t`, { name: 'south', note: 'CHG-2' }).expect(202);
    expect(noted.body).toMatchObject({ reason: 'CHG-2' });
  });

  it('rejects what would fail, with the error that the write has', async () => {
    await author.post('/v1/regions?propose=t', { name: 'north' }).expect(409);
    await author.put('/v1/regions/999999999?propose=t', { name: 'x' }).expect(404);
    await author.put(`${regionPath()}?propose=t`, { nonsense: 1 }).expect(400);
    await author.put(`${regionPath()}?propose=`, { name: 'x' }).expect(400);
    await author.get('/v1/regions?propose=t').expect(400);
  });

  it('previews the write with dry_run, also without roles', async () => {
    const preview = await author
      .put(`${regionPath('/variables')}?propose=t&dry_run=true`, { ntp_servers: [] })
      .expect(200);
    expect(preview.body).toMatchObject({ dry_run: true, impact: { devices: 1 } });
    await author.put(`${regionPath('/variables')}?dry_run=true`, { ntp_servers: [] }).expect(403);
  });

  it('replays a repeated request with an Idempotency-Key', async () => {
    const send = () =>
      author.put(`${regionPath()}?propose=t`, { name: 'south' }, { 'Idempotency-Key': 'propose-once' });
    const first = expectStatus(await send(), 202);
    const second = expectStatus(await send(), 202);
    expect(second.body).toEqual(first.body);
    expect((await author.get('/v1/proposals').expect(200)).body).toHaveLength(1);
  });
});

describe('a preview', () => {
  it('groups the changes of devices, and shows the change', async () => {
    await admin.host({ region_id: region.id, variables: { ntp_servers: ['own'] } });
    const preview = await previewProposal(author, await proposeServers());
    expect(preview).toMatchObject({
      revision: 1,
      impact_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      applicable: true,
      problems: [],
      conflicts: [],
      change: { reason: 'CHG-1', objects: [{ kind: 'region', id: region.id, action: 'update' }] },
      impact: {
        devices: 1,
        keys: ['ntp_servers'],
        groups: [{ key: 'ntp_servers', before: ['10.0.0.1'], after: ['10.0.0.2'], devices: 1 }],
        groups_total: 1,
        items: [
          {
            id: host.id,
            name: 'web',
            changes: { ntp_servers: { before: ['10.0.0.1'], after: ['10.0.0.2'] } },
          },
        ],
      },
      approvals: { required: 1, given: 0, stale: [] },
      may: { approve: false, apply: false },
    });
    expect(preview.may.missing.join()).toContain('regions:write');
    expect((await previewProposal(admin, { id: 1e9 }).catch(() => null)) ?? null).toBeNull();
  });

  it('has the same digest until the impact changes', async () => {
    const proposal = await proposeServers();
    const digest = async () => (await previewProposal(admin, proposal)).impact_digest;
    const first = await digest();
    expect(await digest()).toBe(first);
    await admin.put(regionPath(), { note: 'unrelated' }).expect(200);
    expect(await digest()).toBe(first);
    const second = await admin.host({ region_id: region.id });
    expect(await digest()).not.toBe(first);
    await admin.delete(`/v1/hosts/${String(second.id)}`).expect(204);
    expect(await digest()).toBe(first);
  });

  it('says which operation fails', async () => {
    const proposal = await propose(author, [
      { method: 'POST', path: '/v1/labels', body: { label: 'a' } },
      { method: 'POST', path: '/v1/regions', body: { name: 'south' } },
    ]);
    await admin.region({ name: 'south' });
    expect(await previewProposal(admin, proposal)).toMatchObject({
      applicable: false,
      impact_digest: null,
      change: null,
      impact: null,
      problems: [{ operation: 1, status: 409, code: 'conflict', field: 'operations[1].name' }],
      may: { approve: false, apply: false },
    });
  });

  it('says that a role is missing, also for an operation after one that fails', async () => {
    const proposal = await propose(author, [
      { method: 'PUT', path: `/v1/hosts/${host.uuid}`, body: { note: 'x' } },
      { method: 'POST', path: '/v1/labels', body: { label: 'a' } },
    ]);
    await admin.delete(`/v1/hosts/${String(host.id)}`).expect(204);
    const writer = await admin.user({ roles: ['hosts:write'] });
    const { may, problems } = await previewProposal(writer, proposal);
    expect(may.missing.join()).toContain('labels:write');
    // The problems are those that everybody sees.
    expect(problems).toEqual([expect.objectContaining({ operation: 0, status: 404 })]);
    expect((await previewProposal(admin, proposal)).problems).toEqual(problems);
    const rejection = { verdict: 'reject', revision: 1 };
    expect(expectStatus(await review(writer, proposal, rejection), 403).body).toMatchObject({
      details: [{ field: 'operations[1].roles', code: 'missing_role' }],
    });
    expectStatus(await review(admin, proposal, rejection), 201);
  });

  it('names resources that it creates by their position, so its digest is stable', async () => {
    const proposal = await propose(author, [
      { id: 'rack', method: 'POST', path: '/v1/cells', body: { name: 'r', region_id: region.id } },
      {
        method: 'POST',
        path: '/v1/hosts',
        body: hostBody({
          region_id: region.id,
          cell_id: { $ref: 'rack.id' },
          variables: { rack: { $ref: 'rack.id' } },
        }),
      },
      { method: 'POST', path: '/v1/hosts', body: hostBody({ region_id: region.id }) },
    ]);
    const first = await previewProposal(admin, proposal);
    expect(first).toMatchObject({ applicable: true, impact: { devices: 2 } });
    await admin.region();
    await admin.cell();
    expect((await previewProposal(admin, proposal)).impact_digest).toBe(first.impact_digest);
    await approve(admin, proposal);
    const { body } = expectStatus(await applyProposal(admin, proposal), 200) as {
      body: { results: { body: Resource }[] };
    };
    const [rack, web] = body.results.map((result) => result.body);
    expect(web).toMatchObject({ cell_id: rack!.id, variables: { rack: rack!.id } });
  });
});

describe('applying', () => {
  it('does the operations in one change that names the proposal and its approvers', async () => {
    const proposal = await proposeServers();
    expect(await approve(admin, proposal)).toMatchObject({
      state: 'approved',
      approvals: { required: 1, given: 1 },
      reviews: [
        { verdict: 'approve', revision: 1, counts: true, reviewer: { username: admin.credentials.user } },
      ],
    });
    expect(await previewProposal(admin, proposal)).toMatchObject({
      approvals: { given: 1, stale: [] },
      may: { apply: true },
    });
    const applied = expectStatus(await applyProposal(admin, proposal), 200).body as {
      change_id: number;
      results: unknown[];
    };
    expect(applied.results).toMatchObject([
      { status: 200, body: { variables: { ntp_servers: ['10.0.0.2'] } } },
    ]);
    expect(await showProposal(author, proposal)).toMatchObject({
      state: 'applied',
      change_id: applied.change_id,
    });
    const record = (await admin.get(`/v1/changes/${String(applied.change_id)}`).expect(200)).body as {
      objects: { kind: string }[];
    };
    expect(record.objects.map(({ kind }) => kind)).toEqual(['region', 'proposal']);
    expect(record).toMatchObject({ reason: 'CHG-1' });
  });

  it('needs the roles for everything, and an approval', async () => {
    const proposal = await proposeServers();
    expect(expectStatus(await applyProposal(author, proposal), 403).body).toMatchObject({
      code: 'forbidden',
    });
    expect(expectStatus(await applyProposal(admin, proposal), 409).body).toMatchObject({
      code: 'approval_missing',
      approvals: { required: 1, given: 0 },
    });
  });

  it('is done once: 50 at the same time', async () => {
    const proposal = await proposeServers();
    await approve(admin, proposal);
    const responses = await Promise.all(Array.from({ length: 50 }, () => applyProposal(admin, proposal)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of responses)
      if (status !== 200)
        expect([status, body]).toEqual([409, expect.objectContaining({ state: 'applied' })]);
  });

  it('replays a repeated request with an Idempotency-Key', async () => {
    const proposal = await proposeServers();
    await approve(admin, proposal);
    const headers = { 'Idempotency-Key': 'apply-once' };
    const first = expectStatus(await applyProposal(admin, proposal, headers), 200);
    const second = expectStatus(await applyProposal(admin, proposal, headers), 200);
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotency-replayed']).toBe('true');
  });

  it('shows what is different if the impact is not the approved one', async () => {
    const proposal = await proposeServers();
    await approve(admin, proposal);
    const rack = await admin.cell({ name: aName('rack') });
    const moved = await admin.host({ name: 'moved', region_id: rack['region_id'], cell_id: rack.id });
    await admin.put(regionPath(), { cells: [rack.id] }).expect(200);
    const { body } = expectStatus(await applyProposal(admin, proposal), 409);
    expect(body).toMatchObject({
      code: 'impact_changed',
      now: {
        devices: 2,
        came: 1,
        went: 0,
        other: 0,
        items: [
          {
            kind: 'host',
            id: moved.id,
            name: 'moved',
            approved: null,
            now: { ntp_servers: { before: ['10.0.0.1'], after: ['10.0.0.2'] } },
          },
        ],
        resources: [],
      },
    });
    expect(await previewProposal(admin, proposal)).toMatchObject({
      approvals: { given: 0, stale: [expect.any(Number)] },
      may: { apply: false },
    });
    // It waits for its reviewers again, and a repetition of the request finds it so.
    const path = `/v1/proposals/${String(proposal.id)}`;
    const waiting = async () =>
      (await admin.get('/v1/proposals?waiting_for=me').expect(200)).body as unknown[];
    expectStatus(await applyProposal(admin, proposal), 409);
    expect((await admin.get(path).expect(200)).body).toMatchObject({
      state: 'open',
      approvals: { required: 1, given: 0 },
    });
    expect(await waiting()).toContainEqual(expect.objectContaining({ id: proposal.id }));
    await approve(admin, proposal);
    expect(await waiting()).not.toContainEqual(expect.objectContaining({ id: proposal.id }));
    expectStatus(await applyProposal(admin, proposal), 200);
    expect(await previewProposal(admin, proposal)).toMatchObject({
      applicable: false,
      approvals: { required: 1, given: 1, stale: [] },
    });
  });
});

describe('a conflict', () => {
  it('has three values, and is answered by a new base', async () => {
    const proposal = await proposeServers();
    await approve(admin, proposal);
    await admin.put(regionPath('/variables'), { ntp_servers: ['10.0.0.9'] }).expect(200);
    const conflict = {
      operation: 0,
      kind: 'region',
      resource_id: region.id,
      name: 'north',
      field: 'variables.ntp_servers',
      then: ['10.0.0.1'],
      now: ['10.0.0.9'],
      proposed: ['10.0.0.2'],
    };
    const preview = await previewProposal(admin, proposal);
    expect(preview).toMatchObject({ applicable: false, problems: [], conflicts: [conflict] });
    expect(expectStatus(await applyProposal(admin, proposal), 409).body).toMatchObject({ code: 'conflict' });
    const { revision, impact_digest } = preview;
    expectStatus(await review(admin, proposal, { verdict: 'approve', revision, impact_digest }), 409);
    expectStatus(await amend(author, proposal, { rebase: true }), 200);
    expect(await previewProposal(admin, proposal)).toMatchObject({
      revision: 2,
      applicable: true,
      conflicts: [],
    });
    expect(expectStatus(await applyProposal(admin, proposal), 409).body).toMatchObject({
      code: 'approval_missing',
    });
    await approve(admin, proposal);
    expectStatus(await applyProposal(admin, proposal), 200);
  });

  it('is no conflict if the value is the former one again, or the proposed one', async () => {
    const proposal = await proposeServers();
    await admin.put(regionPath('/variables'), { ntp_servers: ['10.0.0.9'] }).expect(200);
    await admin.put(regionPath('/variables'), { ntp_servers: ['10.0.0.1'] }).expect(200);
    expect(await previewProposal(admin, proposal)).toMatchObject({ applicable: true, conflicts: [] });
    await admin.put(regionPath('/variables'), { ntp_servers: ['10.0.0.2'] }).expect(200);
    expect(await previewProposal(admin, proposal)).toMatchObject({ conflicts: [], impact: { devices: 0 } });
  });

  it('is shown for members, also if a precondition does not hold, which a new base removes', async () => {
    const proposal = expectStatus(
      await author.put(`${regionPath()}?propose=t`, { name: 'south' }, { 'If-Match': '"1"' }),
      202,
    ).body as ProposalBody;
    await admin.put(regionPath(), { name: 'east' }).expect(200);
    expect(await previewProposal(admin, proposal)).toMatchObject({
      applicable: false,
      problems: [{ operation: 0, status: 412 }],
      conflicts: [{ field: 'name', then: 'north', now: 'east', proposed: 'south' }],
    });
    const rebased = expectStatus(await amend(author, proposal, { rebase: true }), 200).body as ProposalBody;
    expect(rebased.operations).toEqual([{ method: 'PUT', path: regionPath(), body: { name: 'south' } }]);
    expect(await previewProposal(admin, proposal)).toMatchObject({ applicable: true, conflicts: [] });
  });
});
