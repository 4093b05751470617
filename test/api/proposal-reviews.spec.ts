import { aName, type Caller, type Resource } from '../support/caller';
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
let colleague: Caller;
let region: Resource;
let proposal: ProposalBody;
beforeEach(async () => {
  admin = await app.project();
  author = await admin.user();
  colleague = await admin.user({ roles: ['regions:write'] });
  region = await admin.region({ name: 'north', variables: { a: 1 } });
  await admin.host({ region_id: region.id });
  proposal = await propose(author, [setVariable('a', 2)]);
});
const setVariable = (key: string, value: unknown) => ({
  method: 'PUT' as const,
  path: `/v1/regions/${String(region.id)}/variables`,
  body: { [key]: value },
});
const userPath = async ({ credentials: { user } }: Caller): Promise<string> => {
  const [found] = (await admin.get(`/v1/users?username=${user}`).expect(200)).body as Resource[];
  return `/v1/users/${String(found!.id)}`;
};
const path = () => `/v1/proposals/${String(proposal.id)}`;

describe('a review', () => {
  it('is not given by the author, nor by users who may not do what the proposal does', async () => {
    const { revision, impact_digest } = await previewProposal(admin, proposal);
    const approval = { verdict: 'approve', revision, impact_digest };
    expectStatus(await review(author, proposal, approval), 403);
    const cellWriter = await admin.user({ roles: ['cells:write'] });
    for (const verdict of ['approve', 'reject'])
      expectStatus(await review(cellWriter, proposal, { ...approval, verdict }), 403);
    await admin.put(await userPath(author), { roles: ['*:write'] }).expect(200);
    expectStatus(await review(author, proposal, approval), 403);
    expect(await showProposal(admin, proposal)).toMatchObject({ state: 'open', reviews: [] });
    expectStatus(await review(colleague, proposal, approval), 201);
  });

  it('is of the present revision and impact', async () => {
    const { revision, impact_digest } = await previewProposal(colleague, proposal);
    const approval = { verdict: 'approve', revision, impact_digest };
    expectStatus(await review(colleague, proposal, { ...approval, impact_digest: undefined }), 400);
    expectStatus(await review(colleague, proposal, { ...approval, verdict: 'maybe' }), 400);
    await admin.host({ region_id: region.id });
    expect(expectStatus(await review(colleague, proposal, approval), 409).body).toMatchObject({
      code: 'impact_changed',
    });
    expectStatus(await amend(author, proposal, { operations: [setVariable('a', 3)] }), 200);
    expect(expectStatus(await review(colleague, proposal, approval), 409).body).toMatchObject({
      code: 'revision_changed',
      revision: 2,
    });
  });

  it('counts until the proposal is amended, and the latest one of each user counts', async () => {
    await approve(colleague, proposal);
    const rejected = expectStatus(
      await review(colleague, proposal, { verdict: 'reject', revision: 1, note: 'no' }),
      201,
    );
    expect(rejected.body).toMatchObject({
      state: 'rejected',
      approvals: { given: 0 },
      reviews: [
        { verdict: 'approve', counts: false },
        { verdict: 'reject', note: 'no', counts: true, impact_digest: null },
      ],
    });
    expectStatus(await applyProposal(colleague, proposal), 409);
    expect(await approve(colleague, proposal)).toMatchObject({ state: 'approved' });
    expectStatus(await amend(author, proposal, { title: 'another title' }), 200);
    expect(await showProposal(author, proposal)).toMatchObject({
      state: 'approved',
      title: 'another title',
      revision: 1,
    });
    const amended = expectStatus(await amend(author, proposal, { operations: [setVariable('a', 3)] }), 200);
    expect(amended.body).toMatchObject({ state: 'open', revision: 2, approvals: { given: 0 } });
    expect(expectStatus(await applyProposal(colleague, proposal), 409).body).toMatchObject({
      code: 'approval_missing',
    });
  });

  it('ends with the roles that it was given with', async () => {
    await approve(colleague, proposal);
    await admin.put(await userPath(colleague), { roles: ['cells:write'] }).expect(200);
    expect(await showProposal(admin, proposal)).toMatchObject({ reviews: [{ counts: false }] });
    expect(expectStatus(await applyProposal(admin, proposal), 409).body).toMatchObject({
      code: 'approval_missing',
    });
    await admin.put(await userPath(colleague), { roles: ['cells:write', 'regions:write'] }).expect(200);
    expectStatus(await applyProposal(admin, proposal), 200);
  });

  it('ends with the user, while a proposal outlives its author', async () => {
    await approve(colleague, proposal);
    await admin.delete(await userPath(author)).expect(204);
    expect(await previewProposal(admin, proposal)).toMatchObject({ approvals: { given: 1 } });
    await admin.delete(await userPath(colleague)).expect(204);
    expect(await previewProposal(admin, proposal)).toMatchObject({ approvals: { given: 0 } });
    expectStatus(await applyProposal(admin, proposal), 409);
    await approve(admin, proposal);
    expectStatus(await applyProposal(admin, proposal), 200);
    expect(await showProposal(admin, proposal)).toMatchObject({
      state: 'applied',
      author: { username: author.credentials.user },
    });
  });

  it('needs the private variables that become private after it', async () => {
    await approve(colleague, proposal);
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['a'] }).expect(200);
    expectStatus(await applyProposal(admin, proposal), 403);
    expect(await previewProposal(admin, proposal)).toMatchObject({
      applicable: false,
      approvals: { given: 0 },
    });
  });
});

describe('a resource that is deleted and created again under its name', () => {
  it('is another one', async () => {
    const cell = await admin.cell({ name: 'rack', region_id: region.id });
    const proposed = await propose(author, [
      { method: 'PUT', path: `/v1/cells/${String(cell.id)}/variables`, body: { b: 1 } },
    ]);
    await approve(admin, proposed);
    await admin.delete(`/v1/cells/${String(cell.id)}`).expect(204);
    const again = await admin.cell({ name: 'rack', region_id: region.id });
    expectStatus(await applyProposal(admin, proposed), 404);
    expect(await previewProposal(admin, proposed)).toMatchObject({
      applicable: false,
      problems: [{ operation: 0, status: 404, code: 'not_found' }],
    });
    const { body } = await admin.get(`/v1/cells/${String(again.id)}/variables`).expect(200);
    expect(body).toEqual({ variables: {} });
  });
});

describe('an amendment', () => {
  it('is made by the author only, and earlier revisions stay readable', async () => {
    expectStatus(await amend(admin, proposal, { title: 'mine' }), 403);
    expectStatus(
      await amend(author, proposal, { operations: [setVariable('b', 1)], description: 'why' }),
      200,
    );
    const shown = await showProposal(admin, proposal);
    expect(shown).toMatchObject({
      revision: 2,
      description: 'why',
      keys: ['b'],
      operations: [setVariable('b', 1)],
    });
    const revisions = (await admin.get(`${path()}/revisions`).expect(200)).body as object[];
    expect(revisions).toMatchObject([
      { revision: 1, operations_total: 1 },
      { revision: 2, operations_total: 1 },
    ]);
    expect((await admin.get(`${path()}/revisions/1`).expect(200)).body).toMatchObject({
      revision: 1,
      operations: [setVariable('a', 2)],
    });
    await admin.get(`${path()}/revisions/3`).expect(404);
  });

  it('is validated like the proposal, and honors If-Match', async () => {
    expectStatus(await amend(author, proposal, { operations: [] }), 400);
    expectStatus(
      await amend(author, proposal, { operations: [{ method: 'PUT', path: '/v1/users/1' }] }),
      400,
    );
    expectStatus(
      await amend(author, proposal, { operations: [{ method: 'DELETE', path: '/v1/regions/987654321' }] }),
      404,
    );
    await author.put(path(), { title: 'x' }, { 'If-Match': '"7"' }).expect(412);
    await author.put(path(), { title: 'x' }, { 'If-Match': '"1"' }).expect(200);
    expect(await showProposal(author, proposal)).toMatchObject({ revision: 1, title: 'x', version: 2 });
  });

  it('is refused once the proposal is applied or withdrawn', async () => {
    await approve(admin, proposal);
    expectStatus(await applyProposal(admin, proposal), 200);
    const other = await propose(author, [setVariable('c', 1)]);
    await author.post(`/v1/proposals/${String(other.id)}/withdraw`).expect(200);
    for (const [done, state] of [
      [proposal, 'applied'],
      [other, 'withdrawn'],
    ] as const) {
      expect(expectStatus(await amend(author, done, { title: 'x' }), 409).body).toMatchObject({ state });
      expectStatus(await review(admin, done, { verdict: 'reject', revision: 1 }), 409);
      await admin.post(`/v1/proposals/${String(done.id)}/withdraw`).expect(409);
      expectStatus(await applyProposal(admin, done), 409);
      expect(await previewProposal(admin, done)).toMatchObject({ applicable: false, may: { apply: false } });
    }
  });
});

describe('withdrawing', () => {
  it('is allowed to the author and to admins', async () => {
    await colleague.post(`${path()}/withdraw`).expect(403);
    await colleague.post(`${path()}/withdraw`, { nonsense: 1 }).expect(400);
    expect((await admin.post(`${path()}/withdraw`, {}).expect(200)).body).toMatchObject({
      state: 'withdrawn',
    });
  });
});

describe('the discussion', () => {
  it('has comments of everybody who sees the proposal', async () => {
    for (const [caller, text] of [
      [colleague, 'Why?'],
      [author, 'Because.'],
    ] as const)
      expect((await caller.post(`${path()}/comments`, { text }).expect(201)).body).toMatchObject({
        text,
        author: { username: caller.credentials.user },
      });
    await author.post(`${path()}/comments`, { text: '' }).expect(400);
    await author.post(`${path()}/comments`, { text: 'x'.repeat(10_001) }).expect(400);
    const { body } = await admin.get(`${path()}/comments`).expect(200);
    expect(body).toMatchObject([{ text: 'Why?' }, { text: 'Because.' }]);
    expect(await showProposal(admin, proposal)).toMatchObject({ comments_total: 2 });
  });

  it('is in the change records and the feed, like all else about a proposal', async () => {
    await admin.put(
      `/v1/projects/${admin.projectId}/settings`,
      { change_reason: { required: true } },
      {
        'X-Change-Reason': 'rules',
      },
    );
    await author.post(`${path()}/comments`, { text: 'c' }).expect(201);
    // The change itself needs a reason.
    expect(await previewProposal(admin, proposal)).toMatchObject({
      applicable: false,
      problems: [{ status: 400, field: 'reason' }],
    });
    await amend(author, proposal, { reason: '' }).expect(400);
    await amend(author, proposal, { reason: 'CHG-1' }).expect(200);
    await approve(colleague, proposal);
    await amend(author, proposal, { description: 'd' }).expect(200);
    await author.post(`${path()}/withdraw`).expect(200);
    const { body } = await admin.get(`${path()}/changes?sort_dir=asc`).expect(200);
    const objects = (body as { objects: { action: string; after: ProposalBody }[] }[]).map(
      ({ objects: [one] }) => one!,
    );
    expect(
      objects.map(({ action, after: { state, comments_total, approvals } }) => [
        action,
        state,
        comments_total,
        approvals.given,
      ]),
    ).toEqual([
      ['create', 'open', 0, 0],
      ['update', 'open', 1, 0],
      ['update', 'open', 1, 0],
      ['update', 'approved', 1, 1],
      ['update', 'approved', 1, 1],
      ['update', 'withdrawn', 1, 1],
    ]);
    const kinds = (await admin.get('/v1/changes?kind=proposal').expect(200)).body as unknown[];
    expect(kinds).toHaveLength(6);
  });
});

describe('the list', () => {
  const list = async (caller: Caller, query: string) =>
    ((await caller.get(`/v1/proposals?${query}`).expect(200)).body as ProposalBody[]).map(({ id }) => id);

  it('is filtered by state, author, kind, key, resource, and by whom it waits for', async () => {
    const cell = await admin.cell({ name: aName('c'), region_id: region.id });
    const own = await propose(colleague, [{ method: 'DELETE', path: `/v1/cells/${String(cell.id)}` }]);
    expect(await list(admin, '')).toEqual([proposal.id, own.id]);
    expect(await list(admin, 'state=open')).toEqual([proposal.id, own.id]);
    expect(await list(admin, 'author=me')).toEqual([]);
    expect(await list(author, 'author=me')).toEqual([proposal.id]);
    expect(await list(admin, `author=${colleague.credentials.user}`)).toEqual([own.id]);
    expect(await list(admin, 'kind=cell')).toEqual([own.id]);
    expect(await list(admin, 'key=a')).toEqual([proposal.id]);
    expect(await list(admin, `resource=regions/${String(region.id)}`)).toEqual([proposal.id]);
    await admin.get('/v1/proposals?resource=nonsense').expect(400);
    await admin.get('/v1/proposals?waiting_for=you').expect(400);
    expect(await list(colleague, 'waiting_for=me')).toEqual([proposal.id]);
    expect(await list(author, 'waiting_for=me')).toEqual([own.id]);
    await approve(colleague, proposal);
    expect(await list(colleague, 'waiting_for=me')).toEqual([]);
    expect(await list(author, 'waiting_for=me')).toEqual([proposal.id, own.id]);
    expect(await list(admin, 'state=approved&state=applied')).toEqual([proposal.id]);
    const [first] = (await admin.get('/v1/proposals?fields=id,state&limit=1').expect(200)).body as unknown[];
    expect(first).toEqual({ id: proposal.id, state: 'approved' });
  });
});
