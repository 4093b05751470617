import * as v from 'valibot';
import { integerParam, viewParam } from '../../app/search-params';

export const PROPOSAL_TABS = ['effect', 'devices', 'operations'] as const;

/** The URL of the page of a proposal. */
export const proposalSearch = v.strictObject({
  tab: viewParam(PROPOSAL_TABS),
  /** An earlier revision, whose operations are shown. */
  revision: integerParam,
});
