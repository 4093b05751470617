import type { ChangeDiff, VariableChange } from '../changes/change-diff';
import { lockRecordOrder } from '../changes/change-record-store';
import { deviceInheritance } from '../devices/device-kind';
import { Visibility } from '../core/context/variable-keys';
import { arrayParameter, sql } from '../database/sql';
import type { Level, ResolutionTarget } from '../variables/levels';
import { targetColumns, type VariableResolver } from '../variables/variable-resolver';
import { candidateKeys, ChangedLevels, parseLocation } from './changed-levels';
import type { AffectedDevice, DeviceImpact } from './device-impact';
import { findAffectedScopes } from './affected-scopes';
import {
  findIndirectlyAffectedDevices,
  type DeviceRange,
  type IndirectlyAffectedDevices,
} from './indirectly-affected-devices';
import { type DeviceStates, ResolvedChanges } from './resolved-changes';
import { deviceKindNames } from '../devices/device-kinds';
import { readChangedKeys } from './setting-levels';
import type { Snapshot } from '../changes/row-statements';
import { membersOf } from '../core/json/json-text';

/** A device that a change itself touches, before and after the change. */
interface TouchedDevice extends DeviceStates {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  /** Whether the change creates it, and does not restore it by a revert. */
  readonly isNew: boolean;
  /** The changes of its own variables. */
  readonly variables: readonly VariableChange[];
}

/** Whether the resolved variables of a device change; 'undecided' if they must be resolved. */
type Classification = 'changed' | 'unchanged' | 'undecided';

/** The devices of all kinds that a change touches. */
const touchedDevices = ({ objects }: ChangeDiff): TouchedDevice[] =>
  objects
    .filter(({ mapping }) => deviceKindNames.includes(mapping.kind))
    .map(({ mapping, id, name, variables, before, after }): TouchedDevice => ({
      kind: mapping.kind,
      id,
      name,
      isNew: before === undefined && after?.version === 1,
      variables,
      before: before && toTarget(before),
      after: after && toTarget(after),
    }));

function toTarget(snapshot: Snapshot): ResolutionTarget {
  const { projectId, variables = '{}', labelIds = [] } = snapshot;
  const { region_id, cell_id = null } = parseLocation(snapshot);
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
function classify(device: TouchedDevice, levels: ChangedLevels, visibility: Visibility): Classification {
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

function hasSameInheritance(
  before: ResolutionTarget,
  after: ResolutionTarget,
  levels: ChangedLevels,
): boolean {
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

type Row = ResolutionTarget & { readonly kind: string; readonly id: number; readonly name: string };

const NO_DEVICES: IndirectlyAffectedDevices = { devices: 0, keys: [], ids: [] };

/**
 * The effect of one change on the resolved variables of devices. Devices that the change touches are resolved before
 * and after it. The other devices, which it affects through regions, cells and labels, are found from the updated
 * levels without resolving them.
 */
export class ImpactAssessment {
  private readonly touched: readonly TouchedDevice[];
  private currentLevels: Promise<Level[]> | undefined;

  /** @param levels the regions, cells and labels that the change touches; for a batched change, those of all batches */
  constructor(
    private readonly change: ChangeDiff,
    private readonly resolver: VariableResolver,
    private readonly levels = new ChangedLevels(change.objects),
  ) {
    this.touched = touchedDevices(change);
  }

  /** The ids of the devices that the change itself touches. */
  get touchedIds(): number[] {
    return this.touched.map(({ id }) => id);
  }

  /**
   * Waits for changes with smaller ids if the count depends on their writes. Call it before `count`, in a change that
   * allocates the id of its record immediately after.
   */
  async lockOrder(): Promise<void> {
    const { tx, projectId } = this.change;
    if (this.levels.visibleUpdates(Visibility.ALL).length > 0)
      await lockRecordOrder(tx, projectId, 'exclusive');
    else if (this.touched.some((device) => classify(device, this.levels, Visibility.ALL) === 'undecided'))
      await lockRecordOrder(tx, projectId, 'shared');
  }

  /** The number of devices for which the value of a visible variable changes. */
  async count(visibility: Visibility): Promise<number> {
    return (await this.countIndirect(visibility, this.touchedIds)) + (await this.countDirect(visibility));
  }

  /** The number of devices, the changed keys, and a page of the devices. */
  async page(visibility: Visibility, page: DeviceRange): Promise<DeviceImpact> {
    const touched = await this.pageOfDirect(visibility, page);
    return mergeImpacts(touched, await this.pageOfIndirect(visibility, page, this.touchedIds), page);
  }

  /** Counts the indirectly affected devices. @param touched the directly changed devices, which are excluded */
  async countIndirect(visibility: Visibility, touched: readonly number[]): Promise<number> {
    return (await this.findIndirect(visibility, undefined, touched)).devices;
  }

  async pageOfIndirect(
    visibility: Visibility,
    page: DeviceRange,
    touched: readonly number[],
  ): Promise<DeviceImpact> {
    const { devices, keys, ids } = await this.findIndirect(visibility, page, touched);
    return {
      devices,
      newDevices: 0,
      keys,
      items: await this.resolveChanges(await this.readDevices(ids), visibility),
    };
  }

  async pageOfDirect(visibility: Visibility, page: DeviceRange): Promise<DeviceImpact> {
    const touched = await this.resolveChanges(this.touched, visibility);
    const keys = new Set(
      touched.flatMap(({ changes }) => changes.map(({ key }) => JSON.parse(key) as string)),
    );
    const newDevices = touched.filter(({ isNew }) => isNew).length;
    return { devices: touched.length, newDevices, keys, items: devicesOnPage(touched, page) };
  }

  async countDirect(visibility: Visibility): Promise<number> {
    const classes = this.touched.map((device) => classify(device, this.levels, visibility));
    const undecided = this.touched.filter((_, i) => classes[i] === 'undecided');
    const changed = classes.filter((one) => one === 'changed').length;
    if (undecided.length === 0) return changed;
    const resolved = this.compareLevels(await this.levelsOfTouched(), visibility);
    return changed + undecided.filter((device) => resolved.hasAny(device)).length;
  }

  /** The devices for which the value of a visible variable changes, with the changes. */
  private async resolveChanges(
    devices: readonly (DeviceStates & Omit<AffectedDevice, 'changes'>)[],
    visibility: Visibility,
  ): Promise<AffectedDevice[]> {
    if (devices.length === 0) return [];
    const resolved = this.compareLevels(await this.readLevels(devices), visibility);
    return devices.flatMap((device): AffectedDevice[] => {
      const { kind, id, name } = device;
      const changes = [...resolved.of(device)];
      return changes.length === 0 ? [] : [{ kind, id, name, changes, isNew: device.isNew ?? false }];
    });
  }

  private compareLevels(current: readonly Level[], visibility: Visibility): ResolvedChanges {
    const { before, after } = this.levels.sides(current);
    return new ResolvedChanges(before, after, visibility);
  }

  /** Read once for all visibilities. */
  private levelsOfTouched(): Promise<Level[]> {
    return (this.currentLevels ??= this.readLevels(this.touched));
  }

  private readLevels(devices: readonly DeviceStates[]): Promise<Level[]> {
    const targets = devices
      .flatMap(({ before, after }) => [before, after])
      .filter((one) => one !== undefined);
    return this.resolver.readLevels(targets, this.change.tx);
  }

  /** Devices that the change does not touch. They are the same before and after; only what they inherit differs. */
  private async readDevices(
    ids: readonly number[],
  ): Promise<(DeviceStates & Omit<AffectedDevice, 'changes'>)[]> {
    if (ids.length === 0) return [];
    const { tx, projectId } = this.change;
    const rows = await tx.rows<Row & Record<string, unknown>>(sql`
      SELECT t.kind, t.id, t.name, ${targetColumns(deviceInheritance)} FROM devices t
      WHERE t.project_id = ${projectId} AND t.id = ANY(${arrayParameter(ids)}::bigint[])`);
    return rows.map((row) => ({ kind: row.kind, id: row.id, name: row.name, before: row, after: row }));
  }

  private async findIndirect(
    visibility: Visibility,
    page: DeviceRange | undefined,
    touched: readonly number[],
  ): Promise<IndirectlyAffectedDevices> {
    const levels = this.levels.visibleUpdates(visibility);
    const keys = candidateKeys(levels, (key) => visibility.sees(key));
    if (keys.length === 0) return NO_DEVICES;
    const { tx, projectId } = this.change;
    const changedKeys = await readChangedKeys(tx, projectId, keys, levels);
    return findIndirectlyAffectedDevices(
      tx,
      projectId,
      findAffectedScopes({ projectId, levels, keys: changedKeys, touched }),
      page,
    );
  }
}

const devicesOnPage = (devices: readonly AffectedDevice[], page: DeviceRange): AffectedDevice[] =>
  devices
    .filter(({ id }) => id > page.after)
    .sort((a, b) => a.id - b.id)
    .slice(0, page.limit);

/** The impact on two disjoint groups of devices. */
export const mergeImpacts = (one: DeviceImpact, other: DeviceImpact, page: DeviceRange): DeviceImpact => ({
  devices: one.devices + other.devices,
  newDevices: one.newDevices + other.newDevices,
  keys: new Set([...one.keys, ...other.keys]),
  items: devicesOnPage([...one.items, ...other.items], page),
});
