import type { ResourceLine } from '../../../files/resource-line';
import type { ExistingInventory } from './existing';
import { importLines, ownedKeys } from './import-lines';
import type { NetBoxInventory } from './inventory';
import type { Mapping } from './mapping';
import { planDevices, type DevicePlan } from './plan';
import { assignVariables, type AssignedVariables } from './variable-levels';

/** How a NetBox becomes an import, and what the project had before: what the command reports. */
export interface Conversion {
  readonly inventory: NetBoxInventory;
  readonly plan: DevicePlan;
  readonly assigned: AssignedVariables;
  /** The keys of the last import that are no longer imported. */
  readonly removedKeys: readonly string[];
  readonly mapping: Mapping;
  /** What Muster has before the import. */
  readonly existing: ExistingInventory;
}

/** A NetBox as the lines of an import. */
export interface ConvertedNetBox {
  readonly lines: readonly ResourceLine[];
  /** The keys whose settings the import replaces. */
  readonly owned: ReadonlySet<string>;
  readonly conversion: Conversion;
}

/** Converts a NetBox to the lines of an import. @param existing what the project has */
export function convertInventory(
  inventory: NetBoxInventory,
  mapping: Mapping,
  existing: ExistingInventory,
): ConvertedNetBox {
  const plan = planDevices(inventory, mapping);
  const assigned = assignVariables(plan.devices, inventory.contexts, mapping);
  const owned = ownedKeys(assigned, existing, mapping);
  const removedKeys = [...owned].filter((key) => !assigned.keys.has(key)).sort();
  return {
    lines: importLines(plan.devices, assigned, existing, mapping),
    owned,
    conversion: { inventory, plan, assigned, removedKeys, mapping, existing },
  };
}
