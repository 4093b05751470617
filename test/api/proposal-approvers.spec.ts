import { setRules } from '../support/approvals';
import type { Caller, Resource } from '../support/caller';
import { applyProposal, approve, previewProposal, propose, showProposal } from '../support/proposals';
import { sharedService } from '../support/service';

const app = sharedService();
let admin: Caller;
let region: Resource;
beforeEach(async () => {
  admin = await app.project();
  region = await admin.region({ name: 'north' });
});

it('a rule that approvals do not meet by their roles is named, with the role', async () => {
  await setRules(admin, [{ collections: ['regions'], approvals: 1, approvers: 'ntp_*' }]).expect(200);
  const [author, writer, expert] = [
    await admin.user(),
    await admin.user({ roles: ['regions:write'] }),
    await admin.user({ roles: ['regions:write', 'ntp_*'] }),
  ];
  const operation = { method: 'PUT' as const, path: `/v1/regions/${String(region.id)}`, body: { note: 'x' } };
  const proposal = await propose(author, [operation]);
  await approve(writer, proposal);
  const text =
    'The approval rule 1 (collections regions) requires 1 approval by users with the role ntp_*: 0 of the present ones count.';
  expect((await previewProposal(writer, proposal)).may).toEqual({
    approve: true,
    apply: false,
    missing: [text],
  });
  expect((await applyProposal(writer, proposal).expect(409)).body).toMatchObject({
    code: 'approval_missing',
    message: text,
  });
  await approve(expert, proposal);
  expect((await previewProposal(writer, proposal)).may).toMatchObject({ apply: true, missing: [] });
  await applyProposal(writer, proposal).expect(200);
});

it('the changes of a proposal that no longer names a private variable are listed', async () => {
  await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret'] }).expect(200);
  const [insider, outsider] = [await admin.user({ roles: ['secret'] }), await admin.user()];
  const path = `/v1/regions/${String(region.id)}`;
  const proposal = await propose(insider, [
    { method: 'PUT', path: `${path}/variables`, body: { secret: 'A' } },
  ]);
  const url = `/v1/proposals/${String(proposal.id)}`;
  await outsider.get(url).expect(404);
  await outsider.get(`${url}/changes`).expect(404);
  const operations = [{ method: 'PUT', path, body: { note: 'x' } }];
  await insider.put(url, { operations }).expect(200);
  await outsider.get(url).expect(200);
  expect((await outsider.get(`${url}/changes`).expect(200)).text).not.toContain('secret');
  expect((await insider.get(`${url}/changes`).expect(200)).body).toHaveLength(2);
});

it('a new reason is checked like that of a change', async () => {
  const author = await admin.user();
  const settings = { change_reason: { required: true, pattern: '^CHG-' } };
  await admin
    .put(`/v1/projects/${admin.projectId}/settings`, settings, { 'X-Change-Reason': 'CHG-0' })
    .expect(200);
  const path = `/v1/regions/${String(region.id)}?propose=T`;
  expect((await author.put(path, { note: 'x' }).expect(400)).body).toMatchObject({
    details: [{ field: 'X-Change-Reason', code: 'invalid_format' }],
  });
  const { body } = await author.put(path, { note: 'x' }, { 'X-Change-Reason': 'CHG-1' }).expect(202);
  const url = `/v1/proposals/${String((body as Resource).id)}`;
  for (const reason of ['nope', '', null]) {
    const refused = await author.put(url, { reason }).expect(400);
    expect(refused.body).toMatchObject({ details: [{ field: 'reason' }] });
  }
  expect((await author.put(url, { reason: 'CHG-2' }).expect(200)).body).toMatchObject({ reason: 'CHG-2' });
  await author.put(url, { title: 'U' }).expect(200);
  const stricter = { change_reason: { required: true, pattern: '^INC-' } };
  await admin
    .put(`/v1/projects/${admin.projectId}/settings`, stricter, { 'X-Change-Reason': 'CHG-3' })
    .expect(200);
  expect((await admin.get(`${url}/preview`).expect(200)).body).toMatchObject({
    applicable: false,
    problems: [{ field: 'reason', code: 'invalid_request' }],
  });
});

it('a user writes at most 100 comments on a proposal, which stop neither others nor the proposal', async () => {
  const author = await admin.user();
  const operation = { method: 'PUT' as const, path: `/v1/regions/${String(region.id)}`, body: { note: 'x' } };
  const proposal = await propose(author, [operation]);
  const reader = await admin.user();
  const comment = (caller: Caller, text: string) =>
    caller.post(`/v1/proposals/${String(proposal.id)}/comments`, { text });
  for (let i = 0; i < 100; i++) await comment(reader, String(i)).expect(201);
  const { body } = await comment(reader, 'one more').expect(409);
  expect(body).toMatchObject({ code: 'conflict', details: [{ code: 'limit_exceeded' }] });
  await comment(author, 'Enough.').expect(201);
  expect(await approve(admin, proposal)).toMatchObject({ state: 'approved', comments_total: 101 });
  expect((await showProposal(reader, proposal)).version).toBe(103);
});
