import type { DescribedChange } from '../changes/change-diff';
import type { Snapshot } from '../changes/tracked-resource';
import type { VariableChange } from '../changes/variable-diff';
import type { Visibility } from '../core/context/visibility';
import type { Subject } from '../variables/levels';
import { membersOf } from '../core/json/json-document';
import { placeOf, type ChangedLevels } from './changed-levels';
import type { Sides } from './resolved-changes';
import { DEVICE_KINDS } from './key-definitions';

/** A device that a change itself touches, as the change found it and leaves it. */
export interface TouchedDevice extends Sides {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  /** It comes into being by the change, and is not put back. */
  readonly fresh: boolean;
  /** What the change did to its own variables. */
  readonly variables: readonly VariableChange[];
}

/** Whether a device's resolved variables change, as far as what the change holds tells it. */
export type Verdict = 'changed' | 'unchanged' | 'open';

/** The devices of every kind that a change touches. */
export const touchedDevices = ({ objects }: DescribedChange): TouchedDevice[] =>
  objects
    .filter(({ shape }) => DEVICE_KINDS.includes(shape.kind))
    .map(({ shape, id, name, variables, before, after }) => ({
      kind: shape.kind,
      id,
      name,
      fresh: before === undefined && after?.version === 1,
      variables,
      before: before && subjectOf(before),
      after: after && subjectOf(after),
    }));

function subjectOf(snapshot: Snapshot): Subject {
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
 * Judges a device without asking the database: a variable that the device itself has on both sides decides by itself,
 * and so does one of its own that comes or goes together with the device. Most writes of one device are decided so.
 */
export function verdictOf(device: TouchedDevice, levels: ChangedLevels, visibility: Visibility): Verdict {
  const { variables, before, after } = device;
  const sees = (key: string) => visibility.sees(JSON.parse(key) as string);
  if (!before || !after) {
    const own = membersOf((after ?? before)?.own_variables ?? '{}');
    return [...own.keys()].some(sees) ? 'changed' : 'open';
  }
  const own = variables.filter(({ key }) => sees(key));
  if (own.some((change) => change.before !== undefined && change.after !== undefined)) return 'changed';
  return own.length === 0 && inheritsAlike(before, after, levels) ? 'unchanged' : 'open';
}

function inheritsAlike(before: Subject, after: Subject, levels: ChangedLevels): boolean {
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
