import { host } from '../../devices/kinds/host/host';
import { selectingParameters } from '../../resources/resource-definition';
import type { QueryParameters } from '../../core/query-parameters';
import { parseBooleanValue } from '../../list/list-filter';
import { parseUnpagedQuery, type ListParameters, type UnpagedQuery } from '../../list/list-query';

/** The hosts that a request selects. */
export interface HostSelection {
  readonly filters: Pick<UnpagedQuery, 'filters' | 'others'>;
  /** Whether inactive hosts are excluded, in addition to the filters. */
  readonly activeOnly: boolean;
}

const hostParameters = selectingParameters(host.definition);

/**
 * Parses the filters of hosts and other parameters. Inactive hosts are excluded, unless the request has `active=false`,
 * or `inactive=true` if the endpoint accepts it.
 * @param others the parameters that the endpoint accepts in addition to the filters
 * @throws InventoryError 400
 */
export function parseHostSelection(
  query: QueryParameters,
  others: ListParameters['others'],
): { readonly selection: HostSelection; readonly others: ReadonlyMap<string, readonly string[]> } {
  const parameters: ListParameters = { ...hostParameters, others: [...others, ...hostParameters.others] };
  const parsed = parseUnpagedQuery(query, parameters, 'array');
  // With `active=true` and `descendants=true`, `activeOnly` also excludes inactive descendants.
  const selectsInactive = parsed.filters.some(([{ name }, value]) => name === 'active' && value === 'false');
  const includesInactive = parseBooleanValue('inactive', parsed.others.get('inactive')?.[0] ?? 'false');
  return {
    selection: { filters: parsed, activeOnly: !selectsInactive && !includesInactive },
    others: parsed.others,
  };
}
