import { Injectable } from '@nestjs/common';
import type { PointInTime } from '../../changes/point-in-time';
import { deviceInheritance } from '../../devices/device-kind';
import { type AffectedDevice, renderAffectedDevice } from '../../impact/device-impact';
import { TimeBudget } from '../../core/time-budget';
import { GroupCounts, groupIdOf } from '../../impact/group-counts';
import type { VariableChange } from '../../changes/change-diff';
import { deviceKindNames } from '../../devices/device-kinds';
import { devicesAt } from '../../devices/past-devices';
import { ResolvedComparison, type DeviceStates } from '../../impact/resolved-comparison';
import type { RequestContext } from '../../core/context/request-context';
import { ConcurrencyLimiter, sharesOf, SteppedWork } from '../../core/concurrency';
import { InventoryError } from '../../core/errors';
import { appendMembers } from '../../core/json/json-text';
import { Database, type Queryable } from '../../database/database';
import { arrayParameter, sql, type Sql } from '../../database/sql';
import type { ResolutionTarget } from '../../variables/levels';
import { targetColumns, VariableResolver } from '../../variables/variable-resolver';
import { findChange, type ChangeId } from '../change-record';
import { CandidateDevices, type ChangeRange } from './candidate-devices';

/** Selects a page of the affected devices. */
export interface PastImpactPage {
  /** The id of the last device of the previous page. */
  readonly marker?: number | undefined;
  readonly limit: number;
}

/** The devices whose resolved variables changes altered, ordered by id. */
export interface PastImpact {
  /** The devices as JSON texts. */
  readonly items: readonly string[];
  /** The id after which the next page begins; undefined on the last page. */
  readonly next: number | undefined;
  /** The cost of the page, in resolved devices. */
  readonly cost: number;
}

/** How many devices changes affected, and how. */
interface CountedImpact {
  readonly devices: number;
  /** Whether all devices were looked at. */
  readonly isComplete: boolean;
  readonly groups: GroupCounts;
}

/** A device before and after changes. */
interface ComparedDevice extends DeviceStates {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

/** Devices, and what their resolved variables are before and after changes. */
interface Comparison {
  readonly devices: readonly ComparedDevice[];
  readonly resolved: ResolvedComparison;
}

type DeviceRow = ResolutionTarget & { readonly kind: string; readonly id: number; readonly name: string };

/** The number of devices that are resolved at a time. */
const CHUNK_SIZE = 500;
/** Limit on the cost of one page, in resolved devices, whether or not the changes affected them. */
const MAX_COST = 5_000;
/** Limit on the cost of counting, in resolved devices, whether or not the changes affected them. */
export const MAX_COUNTING_COST = 50_000;
/** The time limit (ms) of counting, which docs/api/changes.md names. */
const COUNTING_TIMEOUT_MS = 30_000;
/** The maximum number of concurrent counts per process. */
const MAX_CONCURRENT_COUNTS = 4;

/**
 * Computes which devices recorded changes affected. It resolves the variables of each candidate before and after the
 * changes, with the levels of that time. All queries must run in one snapshot.
 */
@Injectable()
export class PastImpactService {
  /** Each count needs a connection and the processor for seconds. Queued ones need neither. */
  private readonly limiter = new ConcurrencyLimiter({
    maxConcurrent: MAX_CONCURRENT_COUNTS,
    queue: { maxLength: 40, timeoutMs: 10_000 },
    message: 'Too many impacts are being counted. Try again.',
    retryAfterSeconds: 5,
    shares: { ...sharesOf(MAX_CONCURRENT_COUNTS), callsName: 'counts of impacts' },
  });

  constructor(
    private readonly resolver: VariableResolver,
    private readonly database: Database,
  ) {}

  /**
   * A page of the affected devices with its links, as JSON text.
   * @throws InventoryError 400 if the marker is not the id of a device, 404 if the caller cannot see the change
   */
  async show(ctx: RequestContext, id: number, page: PastImpactPage): Promise<string> {
    return this.database.reader(ctx).snapshot(async (on) => {
      const change = await findChange(ctx, id, on);
      if (page.marker !== undefined) await assertDeviceMarker(change, page.marker, on);
      const impact = await this.read(ctx, onlyChange(change), page, on);
      return pastImpactText(ctx, id, page, impact);
    });
  }

  /**
   * A page of the affected devices. It can be short before the last page, because the cost per page is limited.
   * @param group only the devices of this group, with the change of the group alone (see `groupIdOf`), as long as the budget lasts
   */
  async read(
    ctx: RequestContext,
    range: ChangeRange,
    page: PastImpactPage,
    on: Queryable,
    group?: { readonly id: string; readonly budget: TimeBudget },
  ): Promise<PastImpact> {
    const candidates = await CandidateDevices.find(ctx, range, { mode: 'page' }, on);
    const items: string[] = [];
    const isSelected = group && ((change: VariableChange) => groupIdOf(change) === group.id);
    let lastId = page.marker ?? 0;
    let { searchCost: cost } = candidates;
    const work = new SteppedWork();
    while (cost < MAX_COST) {
      const chunk = await candidates.readAfter(lastId, CHUNK_SIZE);
      cost += chunk.cost;
      const { devices, resolved } = await this.compare(ctx, range, chunk.ids, on);
      for (const compared of devices) {
        await work.yieldIfDue();
        const device = affectedDevice(compared, resolved, isSelected);
        if (!device) continue;
        if (items.length === page.limit) return { items, next: lastId, cost };
        items.push(renderAffectedDevice(device));
        lastId = device.id;
      }
      if (chunk.next === undefined) return { items, next: undefined, cost };
      lastId = chunk.next;
      if (group?.budget.hasTime() === false) break;
    }
    return { items, next: lastId, cost };
  }

  /**
   * How many devices a change affected, by changes of values, as JSON text. It stops at a limit on its cost.
   * @throws InventoryError 404 if the caller cannot see the change
   */
  async groups(ctx: RequestContext, id: number, disconnected: AbortSignal): Promise<string> {
    return this.counting(ctx, disconnected, async (on, budget) => {
      const change = await findChange(ctx, id, on);
      const { devices, isComplete, groups } = await this.count(ctx, onlyChange(change), on, budget);
      return appendMembers(JSON.stringify({ devices, complete: isComplete }), groups.members);
    });
  }

  /**
   * Runs what calls `count`, or looks for the devices of a group, in a snapshot. Only a few run at a time.
   * @param disconnected ends it when its client disconnects
   * @throws InventoryError 503 if too many are running
   */
  async counting<T>(
    ctx: RequestContext,
    disconnected: AbortSignal,
    work: (on: Queryable, budget: TimeBudget) => Promise<T>,
  ): Promise<T> {
    return this.limiter.run(
      () =>
        this.database
          .reader(ctx)
          .snapshot((on) => work(on, new TimeBudget(disconnected, COUNTING_TIMEOUT_MS))),
      { caller: ctx, signal: disconnected },
    );
  }

  /**
   * Counts the affected devices, by variable and change of the value. It stops at a limit on its cost, or when its time is over.
   * @param key counts only the changes of this variable; undefined: of all
   */
  async count(
    ctx: RequestContext,
    range: ChangeRange,
    on: Queryable,
    budget: TimeBudget,
    key?: string,
  ): Promise<CountedImpact> {
    // The loop ends with the chunk that reaches the limit, so it looks at fewer devices than `max`: if that cuts off some, the
    // counting is not complete.
    const max = MAX_COUNTING_COST + CHUNK_SIZE;
    const candidates = await CandidateDevices.find(ctx, range, { mode: 'count', max }, on);
    const groups = new GroupCounts();
    const isSelected =
      key === undefined ? undefined : (change: VariableChange) => JSON.parse(change.key) === key;
    let devices = 0;
    let { searchCost: cost } = candidates;
    let next: number | undefined = 0;
    const work = new SteppedWork();
    while (next !== undefined && cost < MAX_COUNTING_COST && budget.hasTime()) {
      const chunk = await candidates.readAfter(next, CHUNK_SIZE);
      const comparison = await this.compare(ctx, range, chunk.ids, on);
      for (const compared of comparison.devices) {
        await work.yieldIfDue();
        const device = affectedDevice(compared, comparison.resolved, isSelected);
        if (device) {
          devices++;
          groups.addDevices([device]);
        }
        if (!budget.hasTime()) return { devices, isComplete: false, groups };
      }
      const overridden = await comparison.resolved.overriddenChanges(comparison.devices, () =>
        budget.hasTime(),
      );
      if (!overridden) return { devices, isComplete: false, groups };
      for (const [change, overriding] of overridden)
        if (isSelected?.(change) !== false) groups.add(change, { region: undefined, devices: 0, overriding });
      cost += chunk.cost;
      ({ next } = chunk);
    }
    return { devices, isComplete: next === undefined, groups };
  }

  private async compare(
    { visibility }: RequestContext,
    range: ChangeRange,
    ids: readonly number[],
    on: Queryable,
  ): Promise<Comparison> {
    const pointsInTime = { before: { before: range.first }, after: { after: range.last } } as const;
    const devices = ids.length === 0 ? [] : await readDevices(range, ids, on);
    const levelsOf = async (side: keyof DeviceStates) => {
      const targets = devices.map((device) => device[side]).filter((target) => target !== undefined);
      return this.resolver.readLevels(targets, on, pointsInTime[side]);
    };
    const resolved = new ResolvedComparison(await levelsOf('before'), await levelsOf('after'), visibility);
    return { devices, resolved };
  }
}

/** A single change as a range. */
export const onlyChange = ({ projectId, id }: ChangeId): ChangeRange => ({ projectId, first: id, last: id });

/** A device if its resolved variables change. @param isSelected of the changes; undefined: all count */
function affectedDevice(
  { kind, id, name, ...sides }: ComparedDevice,
  resolved: ResolvedComparison,
  isSelected: ((change: VariableChange) => boolean) | undefined,
): AffectedDevice | undefined {
  const all = [...resolved.changesOf(sides)];
  const changes = isSelected ? all.filter(isSelected) : all;
  const region = (sides.after ?? sides.before)?.region_level;
  return changes.length === 0 ? undefined : { kind, id, name, changes, region };
}

/** A marker can be the id of a deleted device. @throws InventoryError 400 */
export async function assertDeviceMarker(
  { projectId }: Pick<ChangeId, 'projectId'>,
  id: number,
  on: Queryable,
): Promise<void> {
  const rows = await on.rows(sql`SELECT FROM change_objects o WHERE o.project_id = ${projectId}
    AND o.kind = ANY(${arrayParameter(deviceKindNames)}::text[]) AND o.object_id = ${id} LIMIT 1`);
  if (rows.length === 0)
    throw InventoryError.invalid('marker', 'not_found', 'is not the id of an item in this list');
}

/** A page of the devices that a change affected, with the link to the next page, as JSON text. */
export const pastImpactText = (
  { base }: RequestContext,
  id: number,
  { limit }: PastImpactPage,
  impact: PastImpact,
): string => impactPageText(`${base}/v1/changes/${String(id)}/impact?limit=${String(limit)}`, impact);

/** A page of affected devices with the link to the next page, as JSON text. @param url that of the page, without the marker */
export function impactPageText(url: string, { items, next }: PastImpact): string {
  const links = next === undefined ? [] : [{ rel: 'next', href: `${url}&marker=${String(next)}` }];
  return `{"items":[${items.join(',')}],"links":${JSON.stringify(links)}}`;
}

/** Which changes have touched a device, of those since the first change of a range. */
interface TouchedDevice {
  readonly [column: string]: unknown;
  readonly id: number;
  /** The kind of the device that a change of the range has touched, or `null` if none has. */
  readonly within: string | null;
  /** The same of the changes after the range. */
  readonly later: string | null;
}

/**
 * Reads devices as of before and as of after changes, in ascending order of the ids. Only what was touched since is read from records,
 * which costs several times as much as the present state.
 */
async function readDevices(
  { projectId, first, last }: ChangeRange,
  ids: readonly number[],
  on: Queryable,
): Promise<ComparedDevice[]> {
  // With a limit, so that PostgreSQL looks each device up, and does not read all records of the range.
  const touchedKind = (condition: Sql) =>
    sql`(SELECT o.kind FROM change_objects o WHERE o.project_id = ${projectId}
      AND o.kind = ANY(${arrayParameter(deviceKindNames)}::text[]) AND o.object_id = d.id AND ${condition} LIMIT 1)`;
  const touched = await on.rows<TouchedDevice>(sql`
    SELECT d.id, ${touchedKind(sql`o.change_id BETWEEN ${first} AND ${last}`)} AS within,
      ${touchedKind(sql`o.change_id > ${last}`)} AS later FROM unnest(${arrayParameter(ids)}::bigint[]) AS d (id)
    ORDER BY d.id`);
  const current = sql`SELECT t.kind, t.id, t.name, ${targetColumns(deviceInheritance)} FROM devices t
    WHERE t.project_id = ${projectId} AND t.id = ANY(${arrayParameter(touched.filter(({ later }) => later === null).map(({ id }) => id))}::bigint[])`;
  const rowsById = async (...statements: readonly Sql[]) => {
    const rows = new Map<number, DeviceRow>();
    for (const statement of statements)
      for (const row of await on.rows<DeviceRow & Record<string, unknown>>(statement)) rows.set(row.id, row);
    return rows;
  };
  const past = (side: 'within' | 'later', at: PointInTime) => {
    const devices = touched.flatMap(({ id, [side]: kind }) => (kind === null ? [] : [{ kind, id }]));
    const columns = sql`t.kind, t.object_id AS id, t.name, ${targetColumns(deviceInheritance, at)}`;
    return devices.length === 0 ? [] : [devicesAt(projectId, devices, at, columns)];
  };
  const after = await rowsById(current, ...past('later', { after: last }));
  const before = await rowsById(...past('within', { before: first }));
  return touched.flatMap(({ id, within }) => {
    const sides = [within === null ? after.get(id) : before.get(id), after.get(id)] as const;
    return sides.some((side) => side !== undefined) ? [compare(...sides)] : [];
  });
}

function compare(before: DeviceRow | undefined, after: DeviceRow | undefined): ComparedDevice {
  const device = after ?? before;
  if (!device) throw new Error('a device exists neither before nor after the changes');
  return { kind: device.kind, id: device.id, name: device.name, before, after };
}
