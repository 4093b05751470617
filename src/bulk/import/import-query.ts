import { InventoryError } from '../../core/errors/inventory-error';
import { PREVIEW_PARAMETERS } from '../../http/query.guard';
import { textsOf, type QueryParameters } from '../../core/query-parameters';

/** Whether all lines are written or none, or those that can be. */
export const MODES = ['all', 'partial'] as const;
export type Mode = (typeof MODES)[number];

/** @throws InventoryError 400 */
export function modeOf(query: QueryParameters): Mode {
  const given = textsOf(query, ['mode', ...PREVIEW_PARAMETERS])('mode') ?? 'all';
  const mode = MODES.find((one) => one === given);
  if (mode === undefined) throw InventoryError.invalid('mode', `must be one of ${MODES.join(', ')}`);
  return mode;
}
