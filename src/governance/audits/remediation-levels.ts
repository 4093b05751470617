import { Cell, cells } from '../../cells/cell';
import { deviceKinds } from '../../devices/device-kinds';
import { Label, labels } from '../../labels/label';
import { Region, regions } from '../../regions/region';
import type { VariableOwner } from '../../variables/variables.service';

/** Where values that devices resolve can be set, broadest first. */
const levels: readonly VariableOwner[] = [
  { listing: regions, entity: Region },
  { listing: cells, entity: Cell },
  { listing: labels, entity: Label },
  ...deviceKinds,
];

/** The levels that a remediation can name. */
export const remediatedKinds: readonly string[] = levels.map(({ listing }) => listing.shape.kind);

/** The level of a kind out of `remediatedKinds`. */
export function levelOf(kind: string): VariableOwner {
  const level = levels.find(({ listing }) => listing.shape.kind === kind);
  if (!level) throw new Error(`${kind} is no level`);
  return level;
}
