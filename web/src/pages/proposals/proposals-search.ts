import * as v from 'valibot';
import { changeKinds } from '@muster/api-types';
import { PROPOSAL_STATES } from '../../api/proposal-states';
import { textParam, wordParam } from '../../app/search-params';

export const VIEWS = ['waiting', 'mine', 'all'] as const;

/** The URL of the list of proposals: which of them, and filters as the API names them. */
export const proposalsSearch = v.strictObject({
  view: wordParam(VIEWS),
  state: wordParam(PROPOSAL_STATES),
  author: textParam,
  key: textParam,
  kind: wordParam(changeKinds),
  /** One resource: `regions/17`. */
  resource: textParam,
});

export type ProposalsSearch = v.InferOutput<typeof proposalsSearch>;
export type ProposalFilters = Omit<ProposalsSearch, 'view'>;
