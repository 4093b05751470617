import { Injectable } from '@nestjs/common';
import { fromPast } from '../../changes/past-state';
import type { Moment } from '../../changes/point-in-time';
import { deviceInheritance } from '../../devices/device-kind';
import { deviceKinds } from '../../devices/device-kinds';
import { affectedText } from '../../impact/impact-page';
import { ResolvedChanges, type Sides } from '../../impact/resolved-changes';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import { Database, type Queryable } from '../../database/database';
import { list, sql, type Sql } from '../../database/sql';
import type { Subject } from '../../variables/levels';
import { subjectColumns } from '../../variables/target-columns';
import { VariableResolver } from '../../variables/variable-resolver';
import { visibleChange, type ChangeOnRecord } from '../find-change';
import { Candidates } from './candidate-devices';
import { DEVICE_KINDS } from './affected-scopes-of-record';

/** Which devices of a change to tell. */
export interface ImpactPage {
  /** The id of the last device seen. */
  readonly marker?: number | undefined;
  readonly limit: number;
}

/** Devices that a change altered, in the order of their ids. */
export interface PastImpact {
  /** JSON texts. */
  readonly items: readonly string[];
  /** Behind which device to go on; undefined at the end. */
  readonly next: number | undefined;
  /** How much was looked at for it, measured in devices that are resolved. */
  readonly looked: number;
}

interface Device extends Sides {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

type Row = Subject & { readonly kind: string; readonly id: number; readonly name: string };

/** So many devices are resolved at a time. */
const AT_A_TIME = 500;
/** So much is looked at for one page, whether anything changed for a device or not. */
const MOST_LOOKED_AT = 5_000;

/**
 * What a change on record did to the resolved variables of devices: each is resolved as it was before the change and as
 * it was after it, through the levels of that time. To be asked on one unchanging state of the database.
 */
@Injectable()
export class PastImpactService {
  constructor(
    private readonly resolver: VariableResolver,
    private readonly database: Database,
  ) {}

  /**
   * A page of the devices, with its links, as JSON text.
   * @throws InventoryError 400 for a marker that is no device's, 404 if the caller cannot see the change
   */
  async show(ctx: RequestContext, id: number, page: ImpactPage): Promise<string> {
    return this.database.reading(ctx).snapshot(async (on) => {
      const change = await visibleChange(ctx, id, on);
      if (page.marker !== undefined) await requireDevice(change, page.marker, on);
      const impact = await this.of(ctx, change, page, on);
      return impactText(ctx, id, page, impact);
    });
  }

  /** A page of the devices. It may be a short one before the end: so much is looked at for one page and no more. */
  async of(
    ctx: RequestContext,
    change: ChangeOnRecord,
    page: ImpactPage,
    on: Queryable,
  ): Promise<PastImpact> {
    const candidates = await Candidates.of(ctx, change, on);
    const items: string[] = [];
    let behind = page.marker ?? 0;
    let { looked } = candidates;
    while (looked < MOST_LOOKED_AT) {
      const stretch = await candidates.behind(behind, AT_A_TIME);
      looked += stretch.looked;
      for (const { id, text } of await this.altered(ctx, change, stretch.ids, on)) {
        if (items.length === page.limit) return { items, next: behind, looked };
        items.push(text);
        behind = id;
      }
      if (stretch.next === undefined) return { items, next: undefined, looked };
      behind = stretch.next;
    }
    return { items, next: behind, looked };
  }

  private async altered(
    { visibility }: RequestContext,
    change: ChangeOnRecord,
    ids: readonly number[],
    on: Queryable,
  ): Promise<{ id: number; text: string }[]> {
    if (ids.length === 0) return [];
    const moments = { before: { before: change.id }, after: { after: change.id } } as const;
    const devices = await readDevices(change, ids, on);
    const levelsOf = async (side: keyof Sides) => {
      const subjects = devices.map((device) => device[side]).filter((one) => one !== undefined);
      return this.resolver.readLevels(subjects, on, moments[side]);
    };
    const resolved = new ResolvedChanges(await levelsOf('before'), await levelsOf('after'), visibility);
    return devices.flatMap(({ kind, id, name, ...sides }) => {
      const changes = [...resolved.of(sides)];
      return changes.length === 0 ? [] : [{ id, text: affectedText({ kind, id, name, changes }) }];
    });
  }
}

/** A marker may be a device that is gone by now. @throws InventoryError 400 */
async function requireDevice({ projectId }: ChangeOnRecord, id: number, on: Queryable): Promise<void> {
  const rows = await on.rows(sql`SELECT FROM change_objects o WHERE o.project_id = ${projectId}
    AND o.kind = ANY(${list(DEVICE_KINDS)}::text[]) AND o.object_id = ${id} LIMIT 1`);
  if (rows.length === 0) throw InventoryError.invalid('marker', 'is not the id of an item in this list');
}

/** A page of what a change did, and where the next one is, as JSON text. */
export function impactText(
  { base }: RequestContext,
  id: number,
  { limit }: ImpactPage,
  { items, next }: PastImpact,
): string {
  const href = `${base}/v1/changes/${String(id)}/impact?limit=${String(limit)}&marker=${String(next)}`;
  const links = next === undefined ? [] : [{ rel: 'next', href }];
  return `{"items":[${items.join(',')}],"links":${JSON.stringify(links)}}`;
}

/** Devices before and after a change, in the order of their ids. */
async function readDevices(change: ChangeOnRecord, ids: readonly number[], on: Queryable): Promise<Device[]> {
  const { projectId, id } = change;
  const touched = await on.rows<{ id: number }>(sql`
    SELECT d.id FROM unnest(${list(ids)}::bigint[]) AS d (id) CROSS JOIN LATERAL (
      SELECT FROM change_objects o WHERE o.project_id = ${projectId} AND o.kind = ANY(${list(DEVICE_KINDS)}::text[])
        AND o.object_id = d.id AND o.change_id >= ${id} LIMIT 1) touched`);
  const elsewhere = new Set(touched.map((row) => row.id));
  // What no change touched since is by now as it was then.
  const still = await on.rows<Row & Record<string, unknown>>(sql`
    SELECT t.kind, t.id, t.name, ${subjectColumns(deviceInheritance)} FROM devices t
    WHERE t.project_id = ${projectId} AND t.id = ANY(${list(ids.filter((one) => !elsewhere.has(one)))}::bigint[])`);
  const found = new Map<number, Device>(still.map((row) => [row.id, deviceOf(row, row)]));
  if (elsewhere.size > 0) {
    const [before, after] = [
      await on.rows<Row & Record<string, unknown>>(pastDevices(change, [...elsewhere], { before: id })),
      await on.rows<Row & Record<string, unknown>>(pastDevices(change, [...elsewhere], { after: id })),
    ];
    const earlier = new Map(before.map((row) => [row.id, row]));
    for (const row of after) found.set(row.id, deviceOf(earlier.get(row.id), row));
    for (const row of before) if (!found.has(row.id)) found.set(row.id, deviceOf(row, undefined));
  }
  return ids.flatMap((one) => found.get(one) ?? []);
}

function deviceOf(before: Row | undefined, after: Row | undefined): Device {
  const told = after ?? before;
  if (!told) throw new Error('a device that is on neither side of a change');
  return { kind: told.kind, id: told.id, name: told.name, before, after };
}

/** Devices as they were at a moment, whatever their kind. */
function pastDevices({ projectId }: ChangeOnRecord, ids: readonly number[], at: Moment): Sql {
  const ofKinds = deviceKinds.map(
    ({ shape }) => sql`SELECT t.kind, t.object_id AS id, t.name, ${subjectColumns(deviceInheritance, at)}
      ${fromPast(shape, { project: projectId }, ids, at)}`,
  );
  return ofKinds.reduce((all, one) => sql`${all} UNION ALL ${one}`);
}
