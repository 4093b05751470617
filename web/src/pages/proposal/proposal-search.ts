import * as v from 'valibot';
import { integerParam, wordParam } from '../../app/search-params';

export const PROPOSAL_TABS = ['effect', 'devices', 'operations'] as const;

/** The URL of the page of a proposal. */
export const proposalSearch = v.object({
  tab: wordParam(PROPOSAL_TABS),
  /** An earlier revision, whose operations are shown. */
  revision: integerParam,
});
