import * as v from 'valibot';
import { textParam, timeParam, wordParam } from '../../app/search-params';

/** The kinds of resources whose changes are recorded. */
export const CHANGED_KINDS = [
  'host',
  'network-device',
  'region',
  'cell',
  'label',
  'cloud',
  'access-secret',
  'user',
  'audit',
  'variable-definition',
  'project',
  'project-settings',
] as const;

/** The URL of the list of changes: filters as the API names them. */
export const changesSearch = v.object({
  actor: textParam,
  kind: wordParam(CHANGED_KINDS),
  key: textParam,
  reason: textParam,
  since: timeParam,
  until: timeParam,
  /** One resource: `hosts/17`. */
  resource: textParam,
});

export type ChangeFilters = v.InferOutput<typeof changesSearch>;
