import type { DescribedChange } from '../changes/change-diff';
import { lockRecordOrder } from '../changes/record-order-lock';
import { deviceInheritance } from '../devices/device-kind';
import { Visibility } from '../core/context/visibility';
import { list, sql } from '../database/sql';
import type { Level, Subject } from '../variables/levels';
import { subjectColumns } from '../variables/target-columns';
import type { VariableResolver } from '../variables/variable-resolver';
import { ChangedLevels } from './changed-levels';
import type { AffectedDevice, Impact } from './impact-page';
import { keysOf, reachOf } from './affected-scopes';
import { reachedDevices, type Page, type ReachedDevices } from './indirectly-affected-devices';
import { ResolvedChanges, type Sides } from './resolved-changes';
import { readSetters } from './key-definitions';
import { touchedDevices, verdictOf, type TouchedDevice } from './directly-changed-devices';

type Row = Subject & { readonly kind: string; readonly id: number; readonly name: string };

const NO_DEVICES: ReachedDevices = { devices: 0, keys: [], ids: [] };

/**
 * The effect of one change on the resolved variables of devices. Devices that the change touches are resolved before
 * and after it. The other devices, which it affects through regions, cells and labels, are found from the updated
 * levels without resolving them.
 */
export class Assessment {
  private readonly touched: readonly TouchedDevice[];
  private currentLevels: Promise<Level[]> | undefined;

  /** @param levels the regions, cells and labels that the change touches; for a batched change, those of all batches */
  constructor(
    private readonly change: DescribedChange,
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
    if (this.levels.altered(Visibility.WHOLE).length > 0) await lockRecordOrder(tx, projectId, 'exclusive');
    else if (this.touched.some((device) => verdictOf(device, this.levels, Visibility.WHOLE) === 'undecided'))
      await lockRecordOrder(tx, projectId, 'shared');
  }

  /** The number of devices for which the value of a visible variable changes. */
  async count(visibility: Visibility): Promise<number> {
    return (await this.countReached(visibility, this.touchedIds)) + (await this.countTouched(visibility));
  }

  /** The number of devices, the changed keys, and a page of the devices. */
  async page(visibility: Visibility, page: Page): Promise<Impact> {
    const touched = await this.pageOfTouched(visibility, page);
    return together(touched, await this.pageOfReached(visibility, page, this.touchedIds), page);
  }

  /** Counts the indirectly affected devices. @param touched the directly changed devices, which are excluded */
  async countReached(visibility: Visibility, touched: readonly number[]): Promise<number> {
    return (await this.findIndirect(visibility, undefined, touched)).devices;
  }

  async pageOfReached(visibility: Visibility, page: Page, touched: readonly number[]): Promise<Impact> {
    const { devices, keys, ids } = await this.findIndirect(visibility, page, touched);
    return { devices, keys, items: await this.resolveChanges(await this.readDevices(ids), visibility) };
  }

  async pageOfTouched(visibility: Visibility, page: Page): Promise<Impact> {
    const touched = await this.resolveChanges(this.touched, visibility);
    const keys = new Set(
      touched.flatMap(({ changes }) => changes.map(({ key }) => JSON.parse(key) as string)),
    );
    return { devices: touched.length, keys, items: devicesOnPage(touched, page) };
  }

  async countTouched(visibility: Visibility): Promise<number> {
    const classes = this.touched.map((device) => verdictOf(device, this.levels, visibility));
    const undecided = this.touched.filter((_, i) => classes[i] === 'undecided');
    const changed = classes.filter((one) => one === 'changed').length;
    if (undecided.length === 0) return changed;
    const resolved = this.compareLevels(await this.levelsOfTouched(), visibility);
    return changed + undecided.filter((device) => resolved.any(device)).length;
  }

  /** The devices for which the value of a visible variable changes, with the changes. */
  private async resolveChanges(
    devices: readonly (Sides & Omit<AffectedDevice, 'changes'>)[],
    visibility: Visibility,
  ): Promise<AffectedDevice[]> {
    if (devices.length === 0) return [];
    const resolved = this.compareLevels(await this.readLevels(devices), visibility);
    return devices.flatMap((device): AffectedDevice[] => {
      const { kind, id, name } = device;
      const changes = [...resolved.of(device)];
      return changes.length === 0 ? [] : [{ kind, id, name, changes, fresh: device.fresh ?? false }];
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

  private readLevels(devices: readonly Sides[]): Promise<Level[]> {
    const targets = devices
      .flatMap(({ before, after }) => [before, after])
      .filter((one) => one !== undefined);
    return this.resolver.readLevels(targets, this.change.tx);
  }

  /** Devices that the change does not touch. They are the same before and after; only what they inherit differs. */
  private async readDevices(ids: readonly number[]): Promise<(Sides & Omit<AffectedDevice, 'changes'>)[]> {
    if (ids.length === 0) return [];
    const { tx, projectId } = this.change;
    const rows = await tx.rows<Row & Record<string, unknown>>(sql`
      SELECT t.kind, t.id, t.name, ${subjectColumns(deviceInheritance)} FROM devices t
      WHERE t.project_id = ${projectId} AND t.id = ANY(${list(ids)}::bigint[])`);
    return rows.map((row) => ({ kind: row.kind, id: row.id, name: row.name, before: row, after: row }));
  }

  private async findIndirect(
    visibility: Visibility,
    page: Page | undefined,
    touched: readonly number[],
  ): Promise<ReachedDevices> {
    const levels = this.levels.altered(visibility);
    const keys = keysOf(levels, (key) => visibility.sees(key));
    if (keys.length === 0) return NO_DEVICES;
    const { tx, projectId } = this.change;
    const definitions = await readSetters(tx, projectId, keys, levels);
    return reachedDevices(tx, projectId, reachOf({ projectId, levels, definitions, touched }), page);
  }
}

const devicesOnPage = (devices: readonly AffectedDevice[], page: Page): AffectedDevice[] =>
  devices
    .filter(({ id }) => id > page.behind)
    .sort((a, b) => a.id - b.id)
    .slice(0, page.most);

/** The impact on two disjoint groups of devices. */
export const together = (one: Impact, other: Impact, page: Page): Impact => ({
  devices: one.devices + other.devices,
  keys: new Set([...one.keys, ...other.keys]),
  items: devicesOnPage([...one.items, ...other.items], page),
});
