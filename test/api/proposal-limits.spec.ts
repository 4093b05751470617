import type { Caller, Resource } from '../support/caller';
import { approve, propose, type ProposalBody, showProposal } from '../support/proposals';
import { sharedService } from '../support/service';

const app = sharedService();
let admin: Caller;
let author: Caller;
let region: Resource;
beforeEach(async () => {
  admin = await app.project();
  author = await admin.user();
  region = await admin.region({ name: 'north' });
});
const proposeNote = (caller: Caller, note = 'x'): Promise<ProposalBody> =>
  propose(caller, [{ method: 'PUT', path: `/v1/regions/${String(region.id)}`, body: { note } }]);

it('a user writes at most 100 comments on a proposal, which stop neither others nor the proposal', async () => {
  const proposal = await proposeNote(author);
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
