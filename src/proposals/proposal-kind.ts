import type { ResourceMapping } from '../database/resource-mapping';

/** The kind of proposals. Pure code, which recognizes them by it, does not need their entity. */
export const PROPOSAL_KIND = 'proposal';

export const isProposal = ({ kind }: ResourceMapping): boolean => kind === PROPOSAL_KIND;
