import type { ChangeDiff, ObjectDiff } from '../changes/change-diff';
import { lockRecordOrder } from '../changes/change-record-store';
import { deviceInheritance } from '../devices/device-kind';
import { SteppedWork } from '../core/concurrency';
import { Visibility } from '../core/context/variable-keys';
import { arrayParameter, sql } from '../database/sql';
import type { Level, ResolutionTarget } from '../variables/levels';
import { targetColumns, type VariableResolver } from '../variables/variable-resolver';
import { candidateKeys, ChangedLevels } from './changed-levels';
import type { AffectedDevice, DeviceImpact } from './device-impact';
import type { EffectGroup } from '../changes/impact-assessor';
import { type AffectedScopes, findAffectedScopes } from './affected-scopes';
import { addIndirectDevices, type CountedChange } from './add-indirect-devices';
import { countIndirectDevices } from './count-indirect-devices';
import { EffectGroups } from './effect-groups';
import type { GroupCounts } from './group-counts';
import {
  findIndirectlyAffectedDevices,
  type DeviceRange,
  type IndirectlyAffectedDevices,
} from './indirectly-affected-devices';
import { type DeviceStates, ResolvedComparison } from './resolved-comparison';
import { deviceKindNames } from '../devices/device-kinds';
import { readChangedKeys } from './setting-levels';
import type { ResourceState } from '../changes/resource-snapshot';
import { membersOf } from '../core/json/json-text';

/** A device that a change itself touches, before and after the change. */
interface TouchedDevice extends DeviceStates {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  /** Whether the change creates it, and does not restore it by a revert: in a dry run, its id is then valid for this run only. */
  readonly hasTemporaryId: boolean;
  /** It has the changes of its own variables. */
  readonly object: Pick<ObjectDiff, 'variables'>;
}

/** Whether the resolved variables of a device change; 'undecided' if they must be resolved. */
type Classification = 'changed' | 'unchanged' | 'undecided';

/** The devices of all kinds that a change touches. */
const touchedDevices = ({ objects }: ChangeDiff): TouchedDevice[] =>
  objects
    .filter(({ mapping }) => deviceKindNames.includes(mapping.kind))
    .map((object): TouchedDevice => ({
      kind: object.mapping.kind,
      id: object.id,
      name: object.name,
      hasTemporaryId: object.before === undefined && object.after?.version === 1,
      object,
      before: object.before && toTarget(object.before),
      after: object.after && toTarget(object.after),
    }));

function toTarget(state: ResourceState): ResolutionTarget {
  const { projectId, regionId, cellId, variables = '{}', labelIds = [] } = state;
  return {
    project_id: projectId,
    own_variables: variables,
    region_level: regionId,
    cell_level: cellId,
    label_levels: labelIds.length === 0 ? null : labelIds.join(','),
  };
}

/**
 * Classifies a device without a query. An own variable with different values before and after decides, and so does an
 * own variable of a device that is created or deleted. This covers most writes of one device.
 */
function classify(device: TouchedDevice, levels: ChangedLevels, visibility: Visibility): Classification {
  const { object, before, after } = device;
  const sees = (key: string) => visibility.sees(JSON.parse(key) as string);
  if (!before || !after) {
    const own = (after ?? before)?.own_variables ?? '{}';
    const isSeen = visibility.seesEverything ? own !== '{}' : [...membersOf(own).keys()].some(sees);
    return isSeen ? 'changed' : 'undecided';
  }
  const own = object.variables.filter(({ key }) => sees(key));
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

/** What a change does to the resolved variables of devices. */
interface AssessedEffects {
  readonly groups: readonly EffectGroup[];
  /** The devices that it creates, in the order of their numbers in the groups. */
  readonly created: readonly number[];
  /** The devices that it touches, with the changes. */
  readonly touched: readonly AffectedDevice[];
  /** The numbers of other devices; undefined if they have to be counted: see `addIndirectDevices`. */
  readonly indirect: readonly CountedChange[] | undefined;
}

const NO_DEVICES: IndirectlyAffectedDevices = { devices: 0, keys: [], ids: [] };

/**
 * The effect of one change on the resolved variables of devices. Devices that the change touches are resolved before
 * and after it. The other devices, which it affects through regions, cells and labels, are found from the updated
 * levels without resolving them.
 */
export class ImpactAssessment {
  private readonly touched: readonly TouchedDevice[];
  private currentLevels: Promise<Level[]> | undefined;

  /** @param levels the regions, cells and labels that the change touches; for a large change, those of all parts */
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

  /**
   * The number of devices, the changed keys, and a page of the devices.
   * @param groups the changes are added to them, if they are counted
   */
  async page(visibility: Visibility, page: DeviceRange, groups?: GroupCounts): Promise<DeviceImpact> {
    const touched = await this.pageOfDirect(visibility, page, groups);
    if (groups) await this.countGroupsOfIndirect(groups, visibility, this.touchedIds);
    return mergeImpacts(touched, await this.pageOfIndirect(visibility, page, this.touchedIds), page);
  }

  /** All changes of resolved variables. */
  async effects(): Promise<AssessedEffects> {
    const groups = new EffectGroups();
    const touched = await this.resolveChanges(this.touched, Visibility.ALL);
    const created = this.touched.filter(({ hasTemporaryId }) => hasTemporaryId).map(({ id }) => id);
    const numbers = new Map(created.map((id, i) => [id, -1 - i]));
    for (const { id, changes } of touched)
      for (const change of changes) groups.add(change, numbers.get(id) ?? id);
    const { tx, projectId } = this.change;
    const affected = await this.findScopes(Visibility.ALL, this.touchedIds, true);
    const indirect = affected ? await addIndirectDevices(groups, tx, projectId, affected) : [];
    return { groups: groups.sorted, created, touched, indirect };
  }

  /** The changes of some devices, in id order. */
  async changesOf(ids: readonly number[], visibility: Visibility): Promise<AffectedDevice[]> {
    const wanted = new Set(ids);
    const touched = new Set(this.touchedIds);
    const indirect = await this.readDevices(ids.filter((id) => !touched.has(id)));
    const devices = [...this.touched.filter(({ id }) => wanted.has(id)), ...indirect];
    return (await this.resolveChanges(devices, visibility)).sort((a, b) => a.id - b.id);
  }

  /** Counts the devices by the changes of their values. @param groups the counts are added to them */
  async countGroups(groups: GroupCounts, visibility: Visibility): Promise<void> {
    groups.addDevices(await this.resolveChanges(this.touched, visibility));
    await this.countGroupsOfIndirect(groups, visibility, this.touchedIds);
  }

  /** Like `countGroups`, without the devices that the change touches. */
  async countGroupsOfIndirect(
    groups: GroupCounts,
    visibility: Visibility,
    touched: readonly number[],
  ): Promise<void> {
    const { tx, projectId } = this.change;
    const affected = await this.findScopes(visibility, touched, true);
    if (affected) await countIndirectDevices(groups, tx, projectId, affected);
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

  /** @param groups the devices are added to them, if they are counted */
  async pageOfDirect(visibility: Visibility, page: DeviceRange, groups?: GroupCounts): Promise<DeviceImpact> {
    const touched = await this.resolveChanges(this.touched, visibility);
    groups?.addDevices(touched);
    const keys = new Set(
      touched.flatMap(({ changes }) => changes.map(({ key }) => JSON.parse(key) as string)),
    );
    const newDevices = touched.filter(({ hasTemporaryId }) => hasTemporaryId).length;
    return { devices: touched.length, newDevices, keys, items: devicesOnPage(touched, page) };
  }

  async countDirect(visibility: Visibility): Promise<number> {
    const classes = this.touched.map((device) => classify(device, this.levels, visibility));
    const undecided = this.touched.filter((_, i) => classes[i] === 'undecided');
    const changed = classes.filter((one) => one === 'changed').length;
    if (undecided.length === 0) return changed;
    const resolved = this.compareLevels(await this.levelsOfTouched(), visibility);
    const work = new SteppedWork();
    let count = changed;
    for (const device of undecided) {
      await work.yieldIfDue();
      if (resolved.hasChanges(device)) count++;
    }
    return count;
  }

  /** The devices for which the value of a visible variable changes, with the changes. */
  private async resolveChanges(
    devices: readonly (DeviceStates & Omit<AffectedDevice, 'changes'>)[],
    visibility: Visibility,
  ): Promise<AffectedDevice[]> {
    if (devices.length === 0) return [];
    const resolved = this.compareLevels(await this.readLevels(devices), visibility);
    const work = new SteppedWork();
    const affected: AffectedDevice[] = [];
    for (const device of devices) {
      await work.yieldIfDue();
      const { kind, id, name, hasTemporaryId = false } = device;
      const changes = [...resolved.changesOf(device)];
      const region = (device.after ?? device.before)?.region_level;
      const isCreated = device.before === undefined;
      if (changes.length > 0) affected.push({ kind, id, name, changes, hasTemporaryId, isCreated, region });
    }
    return affected;
  }

  private compareLevels(current: readonly Level[], visibility: Visibility): ResolvedComparison {
    const { before, after } = this.levels.sides(current);
    return new ResolvedComparison(before, after, visibility);
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
    const { tx, projectId } = this.change;
    const affected = await this.findScopes(visibility, touched);
    return affected ? findIndirectlyAffectedDevices(tx, projectId, affected, page) : NO_DEVICES;
  }

  /** The devices that the change affects indirectly, as queries; undefined if there are none. */
  private async findScopes(
    visibility: Visibility,
    touched: readonly number[],
    withValues = false,
  ): Promise<AffectedScopes | undefined> {
    const levels = this.levels.visibleUpdates(visibility);
    const candidates = candidateKeys(levels, (key) => visibility.sees(key));
    if (candidates.length === 0) return undefined;
    const { tx, projectId } = this.change;
    const keys = await readChangedKeys(tx, projectId, candidates, levels);
    return findAffectedScopes({ projectId, levels, keys, touched, withValues });
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
