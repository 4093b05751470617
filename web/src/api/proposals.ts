import { queryOptions } from '@tanstack/react-query';
import { ApiError, type components } from '@muster/api-types';
import { readPage, type MarkedPage } from './pages';
import { send } from './request';

/** The first part of the keys of proposals in the cache. */
export const PROPOSALS = 'proposals';

/** How often (ms) a visible page looks for what others have done with a proposal. */
const FOLLOW_INTERVAL = 5_000;
/** How long (ms) the number of proposals that wait for the user is shown before it is read again. */
const COUNT_LIFETIME = 30_000;
/** More than these are not counted in the navigation. */
export const MAX_WAITING = 99;

/** Of a comment or a note, in characters. */
export const MAX_COMMENT_LENGTH = 10_000;
/** Of a title, in characters. */
export const MAX_TITLE_LENGTH = 255;

type Schemas = components['schemas'];

export type Operation = Schemas['ProposedOperation'];
export type ProposalReview = Schemas['ProposalReview'];
export type ProposalComment = Schemas['ProposalComment'];
export type ProposalConflict = Schemas['ProposalConflict'];
export type ProposalPreview = Schemas['ProposalPreview'];
/** A proposal as lists show it. */
export type ListedProposal = Schemas['Proposal'];
export type Proposal = Schemas['ProposalDetails'];
export type ProposalState = ListedProposal['state'];

/** What a link to a proposal shows. */
export type ProposalReference = Pick<ListedProposal, 'id' | 'title'>;

/** The proposal in the response to a write that was proposed. */
export const proposalIn = (body: unknown): ProposalReference => body as ProposalReference;

/** Reads a page of the list of proposals. @throws ApiError, NetworkError, Error: see `readPage` */
export const readProposals = (
  query: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<MarkedPage<readonly ListedProposal[]>> => readPage('/v1/proposals', query, signal);

/** The number of proposals that wait for a review by the user, up to one more than `MAX_WAITING`. */
export const waitingQuery = (project_id: string) =>
  queryOptions({
    queryKey: [PROPOSALS, project_id, 'waiting'],
    queryFn: async ({ signal }) => {
      const query = { project_id, waiting_for: 'me', fields: 'id', limit: MAX_WAITING + 1 };
      return (await readProposals(query, signal)).body.length;
    },
    staleTime: COUNT_LIFETIME,
  });

/** One proposal. What others do with it appears while the page is visible. */
export const proposalQuery = (id: number) =>
  queryOptions({
    queryKey: [PROPOSALS, id],
    queryFn: async ({ signal }) =>
      (await send({ method: 'GET', path: `/v1/proposals/${id}` }, signal)).body as Proposal,
    refetchInterval: FOLLOW_INTERVAL,
  });

/** Whether something can still be done with a proposal: a rejected one can be amended. */
export const isUndecided = ({ state }: Pick<ListedProposal, 'state'>): boolean =>
  state !== 'applied' && state !== 'withdrawn';

/** What is different now from what was approved: in the response to an apply that was refused (409). */
export type ImpactDifference = Schemas['ImpactDifference'];

/** The difference in an error; undefined if it is another error, or the approval was too large to keep its devices. */
export function differenceIn(error: unknown): ImpactDifference | undefined {
  if (!(error instanceof ApiError) || error.code !== 'impact_changed') return undefined;
  const { now } = error.body as Schemas['ProposalError'];
  return now ?? undefined;
}
