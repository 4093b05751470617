import type { Audit } from '../../api/audits';
import { MAX_CONDITIONS } from '../where-condition';

type VariableFilters = Partial<Pick<Audit, 'vars' | 'where'>>;

/** All filters together, as lists take them. */
export function joinedFilters(...filters: readonly VariableFilters[]) {
  const vars = filters.flatMap((filter) => filter.vars ?? []).join(',');
  const where = filters.flatMap((filter) => filter.where ?? []);
  return { ...(vars !== '' && { vars }), ...(where.length > 0 && { where }) };
}

/**
 * Whether one request can count the devices that pass. Only a run knows which values a JSON Schema rejects, and a request has as many
 * filters as an audit may have for its devices and for its expectation each.
 */
export function isCountable(audit: Pick<Audit, 'vars' | 'where' | 'expectation'>): boolean {
  const { vars = '', where = [] } = joinedFilters(audit, audit.expectation);
  return (
    audit.expectation.schema === undefined &&
    where.length <= MAX_CONDITIONS &&
    // A comma is never part of a filter.
    vars.split(',').length <= MAX_CONDITIONS
  );
}
