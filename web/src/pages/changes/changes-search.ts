import * as v from 'valibot';
import { changeKinds } from '@muster/api-types';
import { booleanParam, textParam, timeParam, wordParam } from '../../app/search-params';

/** The URL of the list of changes: filters as the API names them. */
export const changesSearch = v.strictObject({
  actor: textParam,
  kind: wordParam(changeKinds),
  key: textParam,
  reason: textParam,
  since: timeParam,
  until: timeParam,
  /** One resource: `regions/17`. */
  resource: textParam,
  /** Whether only those are listed that override a rule for approvals. */
  override: booleanParam,
});

export type ChangeFilters = v.InferOutput<typeof changesSearch>;
