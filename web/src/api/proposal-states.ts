/** What becomes of a proposal, in the order of the API. In a file of its own: the router needs it before any page. */
export const PROPOSAL_STATES = ['open', 'approved', 'applied', 'rejected', 'withdrawn'] as const;
