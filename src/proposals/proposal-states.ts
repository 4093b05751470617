/**
 * The states of a proposal. `approved`: as many users approve the present revision as it needed when it was made. `applied`
 * and `withdrawn` are final.
 */
export const PROPOSAL_STATES = ['open', 'approved', 'applied', 'rejected', 'withdrawn'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];
