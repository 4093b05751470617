import { Cell, cells } from '../../cells/cell';
import { deviceKinds } from '../../devices/device-kinds';
import { Label, labels } from '../../labels/label';
import { Region, regions } from '../../regions/region';
import type { VariableOwner } from '../../variables/variables.service';

/** The levels that can set a variable of a device, broadest first. */
const levels: readonly VariableOwner[] = [
  { listing: regions, entity: Region },
  { listing: cells, entity: Cell },
  { listing: labels, entity: Label },
  ...deviceKinds,
];

/** The kinds of levels on which a remediation can set a value. */
export const remediatedKinds: readonly string[] = levels.map(({ listing }) => listing.shape.kind);

/** The level of a kind in `remediatedKinds`. */
export function levelOf(kind: string): VariableOwner {
  const level = levels.find(({ listing }) => listing.shape.kind === kind);
  if (!level) throw new Error(`${kind} is not a level`);
  return level;
}
