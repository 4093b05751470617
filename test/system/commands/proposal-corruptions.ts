import type { Caller } from '../../support/caller';
import { applyProposal, approve, expectStatus, propose } from '../../support/proposals';
import type { Prepare } from './corruption';

/** The id of a proposal of a cloud; applied, if somebody else is given who approves it. */
async function proposalOf(owner: Caller, approver?: Caller): Promise<string> {
  const cloud = { name: `cloud ${String(Math.random())}` };
  const proposal = await propose(owner, [{ method: 'POST', path: '/v1/clouds', body: cloud }]);
  if (approver) {
    await approve(approver, proposal);
    expectStatus(await applyProposal(owner, proposal), 200);
  }
  return String(proposal.id);
}

export const ofProposals: Prepare[] = [
  async ({ owner }) => {
    const id = await proposalOf(owner);
    return {
      sql: `DELETE FROM proposal_revisions WHERE proposal_id = ${id}`,
      faults: [`proposals: proposals ${id}: lacks the operations of its revision 1`],
    };
  },
  async ({ owner }) => {
    const id = await proposalOf(owner);
    return {
      sql: `UPDATE proposals SET state = 'applied' WHERE id = ${id}`,
      faults: [`proposals: proposals ${id}: is applied without a change`],
    };
  },
  async ({ owner }) => {
    const approver = await owner.user({ is_admin: true });
    const id = await proposalOf(owner, approver);
    return {
      sql: `UPDATE proposals SET state = 'open' WHERE id = ${id}`,
      faults: [`proposals: proposals ${id}: has a change, but is open`],
    };
  },
  async ({ owner, value }) => {
    const approver = await owner.user({ is_admin: true });
    const id = await proposalOf(owner, approver);
    const change = await value(`SELECT change_id FROM proposals WHERE id = ${id}`);
    return {
      sql: `UPDATE changes SET proposal = '{"id": 0}' WHERE id = ${change}`,
      faults: [
        `proposals: proposals ${id}: is not named by the record of its change N`,
        `proposals: changes ${change}: names the proposal 0, which it has not applied`,
      ],
    };
  },
  async ({ owner, value }) => {
    const approver = await owner.user({ is_admin: true });
    const id = await proposalOf(owner, approver);
    const change = await value(`SELECT change_id FROM proposals WHERE id = ${id}`);
    const review = await value(`SELECT id FROM proposal_reviews WHERE proposal_id = ${id}`);
    const problem = `proposal_id ${id} is not among the proposals of its project`;
    return {
      sql: `DELETE FROM proposals WHERE id = ${id}`,
      faults: [
        `references: proposal_revisions ${id}: ${problem}`,
        `references: proposal_reviews ${review}: ${problem}`,
        `proposals: changes ${change}: names the proposal ${id}, which it has not applied`,
      ],
    };
  },
];
