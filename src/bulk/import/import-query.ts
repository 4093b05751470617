import { InventoryError } from '../../core/errors/inventory-error';
import { PREVIEW_PARAMETERS } from '../../http/query.guard';
import { textsOf, type QueryParameters } from '../../core/query-parameters';

/** `all`: one failed line fails the import. `partial`: the valid lines are imported. */
export const MODES = ['all', 'partial'] as const;
export type Mode = (typeof MODES)[number];

/** @throws InventoryError 400 */
export function modeOf(query: QueryParameters): Mode {
  const value = textsOf(query, ['mode', ...PREVIEW_PARAMETERS])('mode') ?? 'all';
  const mode = MODES.find((name) => name === value);
  if (mode === undefined) throw InventoryError.invalid('mode', `must be one of ${MODES.join(', ')}`);
  return mode;
}
