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

const NONE: ReachedDevices = { devices: 0, keys: [], ids: [] };

/**
 * What one change does to the resolved variables of devices. Those that it touches are resolved, before and after; of
 * all others, which it reaches through regions, cells and labels, it is asked of the levels and not of the devices.
 */
export class Assessment {
  private readonly touched: readonly TouchedDevice[];
  private levelsNow: Promise<Level[]> | undefined;

  /** @param levels the regions, cells and labels that the change touches; given where they are those of other parts */
  constructor(
    private readonly change: DescribedChange,
    private readonly resolver: VariableResolver,
    private readonly levels = new ChangedLevels(change.objects),
  ) {
    this.touched = touchedDevices(change);
  }

  /** The devices that the change itself touches. */
  get touchedIds(): number[] {
    return this.touched.map(({ id }) => id);
  }

  /**
   * Waits for the changes whose ids are smaller, where the number depends on what others write. To be called before
   * `count`, in a change that draws the id of its record at once.
   */
  async lockOrder(): Promise<void> {
    const { tx, projectId } = this.change;
    if (this.levels.altered(Visibility.WHOLE).length > 0) await lockRecordOrder(tx, projectId, 'exclusive');
    else if (this.touched.some((device) => verdictOf(device, this.levels, Visibility.WHOLE) === 'open'))
      await lockRecordOrder(tx, projectId, 'shared');
  }

  /** How many devices get another value of a variable that is visible. */
  async count(visibility: Visibility): Promise<number> {
    return (await this.countReached(visibility, this.touchedIds)) + (await this.countTouched(visibility));
  }

  /** The same, with the keys, and with a page of the devices. */
  async page(visibility: Visibility, page: Page): Promise<Impact> {
    const touched = await this.pageOfTouched(visibility, page);
    return together(touched, await this.pageOfReached(visibility, page, this.touchedIds), page);
  }

  /** @param touched the devices that the change touches, which are not counted again */
  async countReached(visibility: Visibility, touched: readonly number[]): Promise<number> {
    return (await this.reached(visibility, undefined, touched)).devices;
  }

  async pageOfReached(visibility: Visibility, page: Page, touched: readonly number[]): Promise<Impact> {
    const { devices, keys, ids } = await this.reached(visibility, page, touched);
    return { devices, keys, items: await this.affectedOf(await this.read(ids), visibility) };
  }

  async pageOfTouched(visibility: Visibility, page: Page): Promise<Impact> {
    const touched = await this.affectedOf(this.touched, visibility);
    const keys = new Set(
      touched.flatMap(({ changes }) => changes.map(({ key }) => JSON.parse(key) as string)),
    );
    return { devices: touched.length, keys, items: firstOf(touched, page) };
  }

  async countTouched(visibility: Visibility): Promise<number> {
    const verdicts = this.touched.map((device) => verdictOf(device, this.levels, visibility));
    const open = this.touched.filter((_, i) => verdicts[i] === 'open');
    const changed = verdicts.filter((verdict) => verdict === 'changed').length;
    if (open.length === 0) return changed;
    const resolved = this.resolved(await this.levelsOfTouched(), visibility);
    return changed + open.filter((device) => resolved.any(device)).length;
  }

  private async affectedOf(
    devices: readonly (Sides & Omit<AffectedDevice, 'changes'>)[],
    visibility: Visibility,
  ): Promise<AffectedDevice[]> {
    if (devices.length === 0) return [];
    const resolved = this.resolved(await this.readLevels(devices), visibility);
    return devices.flatMap(({ kind, id, name, fresh = false, ...sides }) => {
      const changes = [...resolved.of(sides)];
      return changes.length === 0 ? [] : [{ kind, id, name, changes, fresh }];
    });
  }

  private resolved(now: readonly Level[], visibility: Visibility): ResolvedChanges {
    const { before, after } = this.levels.sides(now);
    return new ResolvedChanges(before, after, visibility);
  }

  /** Read once, for however many visibilities it is asked. */
  private levelsOfTouched(): Promise<Level[]> {
    return (this.levelsNow ??= this.readLevels(this.touched));
  }

  private readLevels(devices: readonly Sides[]): Promise<Level[]> {
    const subjects = devices
      .flatMap(({ before, after }) => [before, after])
      .filter((one) => one !== undefined);
    return this.resolver.readLevels(subjects, this.change.tx);
  }

  /** Devices that the change does not touch: what differs about them is what they inherit. */
  private async read(ids: readonly number[]): Promise<(Sides & Omit<AffectedDevice, 'changes'>)[]> {
    if (ids.length === 0) return [];
    const { tx, projectId } = this.change;
    const rows = await tx.rows<Row & Record<string, unknown>>(sql`
      SELECT t.kind, t.id, t.name, ${subjectColumns(deviceInheritance)} FROM devices t
      WHERE t.project_id = ${projectId} AND t.id = ANY(${list(ids)}::bigint[])`);
    return rows.map((row) => ({ kind: row.kind, id: row.id, name: row.name, before: row, after: row }));
  }

  private async reached(
    visibility: Visibility,
    page: Page | undefined,
    touched: readonly number[],
  ): Promise<ReachedDevices> {
    const altered = this.levels.altered(visibility);
    const keys = keysOf(altered, (key) => visibility.sees(key));
    if (keys.length === 0) return NONE;
    const { tx, projectId } = this.change;
    const setters = await readSetters(tx, projectId, keys, altered);
    return reachedDevices(tx, projectId, reachOf({ projectId, altered, setters, touched }), page);
  }
}

const firstOf = (devices: readonly AffectedDevice[], { behind, most }: Page): AffectedDevice[] =>
  devices
    .filter(({ id }) => id > behind)
    .sort((a, b) => a.id - b.id)
    .slice(0, most);

/** The impact of two groups of devices that do not overlap. */
export const together = (one: Impact, other: Impact, page: Page): Impact => ({
  devices: one.devices + other.devices,
  keys: new Set([...one.keys, ...other.keys]),
  items: firstOf([...one.items, ...other.items], page),
});
