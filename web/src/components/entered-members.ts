import { withoutFormerCell } from './device-location';
import type { Values } from './member-description';

/**
 * The entered members of a form after one more was entered. A device leaves its cell with its region, and is in it again if the former
 * region is chosen again.
 * @param values the members before
 */
export function withEntered(values: Values, entered: Values, name: string, value: unknown): Values {
  const next = { [name]: value };
  if (name !== 'region_id' || values['cell_id'] === undefined) return { ...entered, ...next };
  if (value === values['region_id']) return { ...entered, ...next, cell_id: values['cell_id'] };
  return { ...entered, ...withoutFormerCell(next) };
}
