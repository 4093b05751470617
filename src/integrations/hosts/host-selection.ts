import { host } from '../../devices/kinds/host/host';
import { selectingParameters } from '../../resources/resource-definition';
import type { QueryParameters } from '../../core/query-parameters';
import { booleanValue } from '../../list/list-filter';
import { parseUnpaged, type ListNames, type UnpagedQuery } from '../../list/list-query';

/** Which hosts of a project are meant. */
export interface HostChoice {
  readonly filters: Pick<UnpagedQuery, 'filters' | 'others'>;
  /** Whether those that are not active are left out, whatever the filters find. */
  readonly activeOnly: boolean;
}

const selecting = selectingParameters(host.listing);

/**
 * Reads which hosts a request means, by the filters of their list, and what else it says. Inactive hosts are left out,
 * unless it says `active=false`, or `inactive=true` where that can be said.
 * @param others the parameters that the request may have beside the filters
 * @throws InventoryError 400
 */
export function parseHostChoice(
  query: QueryParameters,
  others: ListNames['others'],
): { readonly choice: HostChoice; readonly others: ReadonlyMap<string, readonly string[]> } {
  const accepted: ListNames = { ...selecting, others: [...others, ...selecting.others] };
  const read = parseUnpaged(query, accepted, 'array');
  // What is below a host that is active need not be.
  const saysInactive = read.filters.some(([{ name }, value]) => name === 'active' && value === 'false');
  const inactiveToo = booleanValue('inactive', read.others.get('inactive')?.[0] ?? 'false');
  return { choice: { filters: read, activeOnly: !saysInactive && !inactiveToo }, others: read.others };
}
