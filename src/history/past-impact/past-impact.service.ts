import { Injectable } from '@nestjs/common';
import { fromSnapshotAt, type PointInTime } from '../../changes/point-in-time';
import { deviceInheritance } from '../../devices/device-kind';
import { deviceKinds } from '../../devices/device-kinds';
import { renderAffectedDevice } from '../../impact/device-impact';
import { deviceKindNames } from '../../devices/device-kinds';
import { ResolvedChanges, type DeviceStates } from '../../impact/resolved-changes';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { Database, type Queryable } from '../../database/database';
import { arrayParameter, sql, type Sql } from '../../database/sql';
import type { ResolutionTarget } from '../../variables/levels';
import { targetColumns, VariableResolver } from '../../variables/variable-resolver';
import { findChange, type ChangeId } from '../change-record';
import { CandidateDevices } from './candidate-devices';

/** Selects a page of the affected devices. */
export interface PastImpactPage {
  /** The id of the last device of the previous page. */
  readonly marker?: number | undefined;
  readonly limit: number;
}

/** The devices whose resolved variables a change altered, ordered by id. */
export interface PastImpact {
  /** The devices as JSON texts. */
  readonly items: readonly string[];
  /** The id after which the next page begins; undefined on the last page. */
  readonly next: number | undefined;
  /** The cost of the page, in resolved devices. */
  readonly cost: number;
}

/** A device before and after a change. */
interface ComparedDevice extends DeviceStates {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

type DeviceRow = ResolutionTarget & { readonly kind: string; readonly id: number; readonly name: string };

/** The number of devices that are resolved at a time. */
const BATCH_SIZE = 500;
/** Limit on the cost of one page, in resolved devices, whether or not the change affected them. */
const MAX_COST = 5_000;

/**
 * Computes which devices a recorded change affected. It resolves the variables of each candidate before and after the
 * change, with the levels of that time. All queries must run in one snapshot.
 */
@Injectable()
export class PastImpactService {
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
      const impact = await this.read(ctx, change, page, on);
      return pastImpactText(ctx, id, page, impact);
    });
  }

  /** A page of the affected devices. It can be short before the last page, because the cost per page is limited. */
  async read(
    ctx: RequestContext,
    change: ChangeId,
    page: PastImpactPage,
    on: Queryable,
  ): Promise<PastImpact> {
    const candidates = await CandidateDevices.find(ctx, change, on);
    const items: string[] = [];
    let lastId = page.marker ?? 0;
    let { searchCost: cost } = candidates;
    while (cost < MAX_COST) {
      const batch = await candidates.readAfter(lastId, BATCH_SIZE);
      cost += batch.cost;
      for (const { id, text } of await this.affected(ctx, change, batch.ids, on)) {
        if (items.length === page.limit) return { items, next: lastId, cost };
        items.push(text);
        lastId = id;
      }
      if (batch.next === undefined) return { items, next: undefined, cost };
      lastId = batch.next;
    }
    return { items, next: lastId, cost };
  }

  private async affected(
    { visibility }: RequestContext,
    change: ChangeId,
    ids: readonly number[],
    on: Queryable,
  ): Promise<{ id: number; text: string }[]> {
    if (ids.length === 0) return [];
    const pointsInTime = { before: { before: change.id }, after: { after: change.id } } as const;
    const devices = await readDevices(change, ids, on);
    const levelsOf = async (side: keyof DeviceStates) => {
      const targets = devices.map((device) => device[side]).filter((target) => target !== undefined);
      return this.resolver.readLevels(targets, on, pointsInTime[side]);
    };
    const resolved = new ResolvedChanges(await levelsOf('before'), await levelsOf('after'), visibility);
    return devices.flatMap(({ kind, id, name, ...sides }) => {
      const changes = [...resolved.of(sides)];
      return changes.length === 0 ? [] : [{ id, text: renderAffectedDevice({ kind, id, name, changes }) }];
    });
  }
}

/** A marker can be the id of a deleted device. @throws InventoryError 400 */
async function assertDeviceMarker({ projectId }: ChangeId, id: number, on: Queryable): Promise<void> {
  const rows = await on.rows(sql`SELECT FROM change_objects o WHERE o.project_id = ${projectId}
    AND o.kind = ANY(${arrayParameter(deviceKindNames)}::text[]) AND o.object_id = ${id} LIMIT 1`);
  if (rows.length === 0)
    throw InventoryError.invalid('marker', 'not_found', 'is not the id of an item in this list');
}

/** A page of the affected devices with the link to the next page, as JSON text. */
export function pastImpactText(
  { base }: RequestContext,
  id: number,
  { limit }: PastImpactPage,
  { items, next }: PastImpact,
): string {
  const href = `${base}/v1/changes/${String(id)}/impact?limit=${String(limit)}&marker=${String(next)}`;
  const links = next === undefined ? [] : [{ rel: 'next', href }];
  return `{"items":[${items.join(',')}],"links":${JSON.stringify(links)}}`;
}

/** Reads devices as of before and as of after a change, in the order of the ids. */
async function readDevices(
  change: ChangeId,
  ids: readonly number[],
  on: Queryable,
): Promise<ComparedDevice[]> {
  const { projectId, id } = change;
  const touched = await on.rows<{ id: number }>(sql`
    SELECT d.id FROM unnest(${arrayParameter(ids)}::bigint[]) AS d (id) CROSS JOIN LATERAL (
      SELECT FROM change_objects o WHERE o.project_id = ${projectId} AND o.kind = ANY(${arrayParameter(deviceKindNames)}::text[])
        AND o.object_id = d.id AND o.change_id >= ${id} LIMIT 1) touched`);
  const touchedIds = new Set(touched.map((row) => row.id));
  // A device that no change touched since is now as it was then.
  const untouched = await on.rows<DeviceRow & Record<string, unknown>>(sql`
    SELECT t.kind, t.id, t.name, ${targetColumns(deviceInheritance)} FROM devices t
    WHERE t.project_id = ${projectId} AND t.id = ANY(${arrayParameter(ids.filter((one) => !touchedIds.has(one)))}::bigint[])`);
  const devices = new Map<number, ComparedDevice>(untouched.map((row) => [row.id, compare(row, row)]));
  if (touchedIds.size > 0) {
    const [before, after] = [
      await on.rows<DeviceRow & Record<string, unknown>>(
        pastDevices(change, [...touchedIds], { before: id }),
      ),
      await on.rows<DeviceRow & Record<string, unknown>>(pastDevices(change, [...touchedIds], { after: id })),
    ];
    const beforeById = new Map(before.map((row) => [row.id, row]));
    for (const row of after) devices.set(row.id, compare(beforeById.get(row.id), row));
    for (const row of before) if (!devices.has(row.id)) devices.set(row.id, compare(row, undefined));
  }
  return ids.flatMap((one) => devices.get(one) ?? []);
}

function compare(before: DeviceRow | undefined, after: DeviceRow | undefined): ComparedDevice {
  const device = after ?? before;
  if (!device) throw new Error('a device exists neither before nor after the change');
  return { kind: device.kind, id: device.id, name: device.name, before, after };
}

/** Devices of all kinds at a point in time. */
function pastDevices({ projectId }: ChangeId, ids: readonly number[], at: PointInTime): Sql {
  const ofKinds = deviceKinds.map(
    ({ mapping }) => sql`SELECT t.kind, t.object_id AS id, t.name, ${targetColumns(deviceInheritance, at)}
      ${fromSnapshotAt(mapping, { project: projectId }, ids, at)}`,
  );
  return ofKinds.reduce((all, one) => sql`${all} UNION ALL ${one}`);
}
