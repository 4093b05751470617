import type { DescribedChange } from '../changes/change-diff';
import type { Snapshot } from '../changes/tracked-resource';
import type { VariableChange } from '../changes/variable-diff';
import type { Visibility } from '../core/context/visibility';
import type { Subject } from '../variables/levels';
import { membersOf } from '../core/json/json-document';
import { placeOf, type ChangedLevels } from './changed-levels';
import type { Sides } from './resolved-changes';
import { DEVICE_KINDS } from './key-definitions';

/** A device that a change itself touches, before and after the change. */
export interface TouchedDevice extends Sides {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  /** Whether the change creates it, and does not restore it by a revert. */
  readonly fresh: boolean;
  /** The changes of its own variables. */
  readonly variables: readonly VariableChange[];
}

/** Whether the resolved variables of a device change; 'undecided' if only resolving them can tell. */
type Classification = 'changed' | 'unchanged' | 'undecided';

/** The devices of all kinds that a change touches. */
export const touchedDevices = ({ objects }: DescribedChange): TouchedDevice[] =>
  objects
    .filter(({ shape }) => DEVICE_KINDS.includes(shape.kind))
    .map(({ shape, id, name, variables, before, after }): TouchedDevice => ({
      kind: shape.kind,
      id,
      name,
      fresh: before === undefined && after?.version === 1,
      variables,
      before: before && toTarget(before),
      after: after && toTarget(after),
    }));

function toTarget(snapshot: Snapshot): Subject {
  const { projectId, variables = '{}', labelIds = [] } = snapshot;
  const { region_id, cell_id = null } = placeOf(snapshot);
  return {
    project_id: projectId,
    own_variables: variables,
    region_level: region_id,
    cell_level: cell_id,
    label_levels: labelIds.length === 0 ? null : labelIds.join(','),
  };
}

/**
 * Classifies a device without a query. An own variable with different values before and after decides, and so does an
 * own variable of a device that is created or deleted. This covers most writes of one device.
 */
export function verdictOf(
  device: TouchedDevice,
  levels: ChangedLevels,
  visibility: Visibility,
): Classification {
  const { variables, before, after } = device;
  const sees = (key: string) => visibility.sees(JSON.parse(key) as string);
  if (!before || !after) {
    const own = membersOf((after ?? before)?.own_variables ?? '{}');
    return [...own.keys()].some(sees) ? 'changed' : 'undecided';
  }
  const own = variables.filter(({ key }) => sees(key));
  if (own.some((change) => change.before !== undefined && change.after !== undefined)) return 'changed';
  return own.length === 0 && hasSameInheritance(before, after, levels) ? 'unchanged' : 'undecided';
}

function hasSameInheritance(before: Subject, after: Subject, levels: ChangedLevels): boolean {
  const { region_level: region, cell_level: cell, label_levels: labels } = before;
  return (
    region === after.region_level &&
    cell === after.cell_level &&
    labels === after.label_levels &&
    !levels.has('region', region) &&
    !levels.has('cell', cell) &&
    (labels ?? '').split(',').every((label) => !levels.has('label', Number(label)))
  );
}
