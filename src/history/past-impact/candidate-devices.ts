import type { RequestContext } from '../../core/context/request-context';
import type { Queryable } from '../../database/database';
import { join, arrayParameter, raw, sql, type Sql } from '../../database/sql';
import { deviceKindNames } from '../../devices/device-kinds';
import { LEVEL_KINDS, type LevelKind } from '../../variables/key-levels';
import { changeRecordAt } from '../../changes/point-in-time';

/** Recorded changes of a project: the one with `first`, the one with `last`, and those between them. */
export interface ChangeRange {
  readonly projectId: string;
  readonly first: number;
  readonly last: number;
}

/** Where changes can have altered resolved variables: their devices, and the levels whose descendants they affect. */
export interface ChangedScopes {
  /** In ascending order. Undefined if there are too many to read them at once. */
  readonly devices: readonly number[] | undefined;
  readonly levels: Readonly<Record<LevelKind, readonly number[]>>;
}

/**
 * How many candidates are read: a few pages of them; or all, up to `max`, to count them. Then the touched devices are read at
 * once, because finding each page of them anew takes time quadratic in their number.
 */
type CandidateUse = { readonly mode: 'page' } | { readonly mode: 'count'; readonly max: number };

/** In the mode `page`. If the changes touched more devices, these are found page by page. */
const MAX_DEVICES_IN_MEMORY = 10_000;

/** Reads the devices and levels that changes touched. Levels whose altered variables are all hidden are left out. */
async function readChangedScopes(
  { visibility }: RequestContext,
  { projectId, first, last }: ChangeRange,
  use: CandidateUse,
  on: Queryable,
): Promise<ChangedScopes> {
  const maxDevices = use.mode === 'count' ? use.max : MAX_DEVICES_IN_MEMORY + 1;
  const rows = await on.rows<{ kind: string; id: number; keys: string[]; renamed: boolean }>(sql`
    SELECT o.kind, o.object_id AS id, o.keys,
      o.kind = 'label' AND o.before -> 'label' IS DISTINCT FROM o.after -> 'label' AS renamed
    FROM change_objects o WHERE o.project_id = ${projectId} AND o.change_id BETWEEN ${first} AND ${last}
      AND o.kind IN ('region', 'cell', 'label') AND o.action = 'update'`);
  // Only updates: all devices below a created or deleted level are objects of the changes themselves.
  const levels = (kind: LevelKind) => [
    ...new Set(
      rows
        .filter((row) => row.kind === kind && (row.renamed || row.keys.some((key) => visibility.sees(key))))
        .map((row) => row.id),
    ),
  ];
  const devices = await on.rows<{ id: number }>(sql`
    SELECT DISTINCT o.object_id AS id FROM change_objects o
    WHERE o.project_id = ${projectId} AND o.change_id BETWEEN ${first} AND ${last}
      AND o.kind = ANY(${arrayParameter(deviceKindNames)}::text[]) ORDER BY 1 LIMIT ${maxDevices}`);
  const areTooMany = use.mode === 'page' && devices.length > MAX_DEVICES_IN_MEMORY;
  return {
    devices: areTooMany ? undefined : devices.map((row) => row.id),
    levels: { region: levels('region'), cell: levels('cell'), label: levels('label') },
  };
}

/** A page of candidates, ordered by id. */
export interface CandidatePage {
  readonly ids: readonly number[];
  /** The id after which the next page begins; undefined on the last page. */
  readonly next: number | undefined;
  /** The cost of finding them, in resolved devices. */
  readonly cost: number;
}

/** Examining this many devices costs as much as resolving one. */
const EXAMINED_PER_RESOLVED = 10;
/** The minimum cost of any range. */
const MIN_COST = 10;

/**
 * The tables that list the devices of a level, by kind of level. A query reads each level separately, so that an index
 * returns its devices in order and the query stops at its limit.
 */
const DEVICES_OF_LEVEL = {
  region: { table: raw('devices'), level: raw('region_id'), device: raw('id') },
  cell: { table: raw('devices'), level: raw('cell_id'), device: raw('id') },
  label: { table: raw('device_labels'), level: raw('label_id'), device: raw('device_id') },
} as const;

/**
 * The devices that changes can have affected: those that they touched, those that are below an altered level now, and
 * those that were below one at that time and were touched since. It is a superset of the affected devices.
 */
export class CandidateDevices {
  private constructor(
    private readonly range: ChangeRange,
    private readonly scopes: ChangedScopes,
    private readonly former: FormerDevices | undefined,
    private readonly on: Queryable,
  ) {}

  static async find(
    ctx: RequestContext,
    range: ChangeRange,
    use: CandidateUse,
    on: Queryable,
  ): Promise<CandidateDevices> {
    const scopes = await readChangedScopes(ctx, range, use, on);
    const former: FormerDevices | undefined = Object.values(scopes.levels).some((ids) => ids.length > 0)
      ? await findFormerDevices(range, scopes, on)
      : { ids: [], through: undefined, cost: 0 };
    return new CandidateDevices(range, scopes, former, on);
  }

  /** The cost of creating this object, in resolved devices. */
  get searchCost(): number {
    return MIN_COST + (this.former?.cost ?? 0) / EXAMINED_PER_RESOLVED;
  }

  /** The next candidates after an id. A page can be empty before the end, because the search per page is limited. */
  async readAfter(id: number, limit: number): Promise<CandidatePage> {
    const search = this.former
      ? undefined
      : await findNextFormerDevices(this.range, this.scopes, id, this.on);
    const { ids: former, through } = search ?? this.former ?? { ids: [], through: undefined };
    // Only as many as the page can have: there can be thousands.
    const selectIds = (ids: readonly number[]): Sql =>
      sql`SELECT l.id FROM unnest(${arrayParameter(ids.filter((one) => one > id).slice(0, limit))}::bigint[]) AS l (id)`;
    const isSearched = through === undefined ? sql`true` : sql`c.id <= ${through}`;
    const { devices } = this.scopes;
    const touched = devices ? selectIds(devices) : this.touchedDevices(id, limit);
    const sources = [touched, selectIds(former), ...this.currentDescendants(id, limit)];
    const rows = await this.on.rows<{ id: number }>(
      sql`SELECT DISTINCT c.id FROM (${join(sources, ' UNION ALL ')}) c
        WHERE ${isSearched} ORDER BY c.id LIMIT ${limit}`,
      'custom',
    );
    const ids = rows.map((row) => row.id);
    const next = ids.length === limit ? ids.at(-1) : through;
    return { ids, next, cost: ids.length + (search?.cost ?? 0) / EXAMINED_PER_RESOLVED };
  }

  /** The devices that the changes touched, if they are too many for memory. It scans the records of all devices. */
  private touchedDevices(id: number, limit: number): Sql {
    const { projectId, first, last } = this.range;
    return sql`SELECT d.id FROM unnest(${arrayParameter(deviceKindNames)}::text[]) AS k (kind) CROSS JOIN LATERAL (
      SELECT DISTINCT o.object_id AS id FROM change_objects o WHERE o.project_id = ${projectId} AND o.kind = k.kind
        AND o.object_id > ${id} AND o.change_id BETWEEN ${first} AND ${last} ORDER BY o.object_id LIMIT ${limit}) d`;
  }

  /** The devices that are below an altered level now. */
  private currentDescendants(id: number, limit: number): Sql[] {
    return LEVEL_KINDS.flatMap((kind) => {
      const ids = this.scopes.levels[kind];
      const { table, level, device } = DEVICES_OF_LEVEL[kind];
      if (ids.length === 0) return [];
      return sql`SELECT d.id FROM unnest(${arrayParameter(ids)}::bigint[]) AS l (id) CROSS JOIN LATERAL (
        SELECT t.${device} AS id FROM ${table} t WHERE t.project_id = ${this.range.projectId} AND t.${level} = l.id
          AND t.${device} > ${id} ORDER BY t.${device} LIMIT ${limit}) d`;
    });
  }
}

/** Devices that were below an altered level after the changes, and were touched since. */
export interface FormerDevices {
  /** In ascending order. */
  readonly ids: readonly number[];
  /** The search covered the ids up to this one; undefined if it covered all. */
  readonly through: number | undefined;
  /** The number of devices that were examined. */
  readonly cost: number;
}

/** With at most this many later records, one query finds all former devices. */
const MAX_RECORDS_PER_QUERY = 5_000;
/** With more later records, each query examines this many devices. */
const DEVICES_PER_QUERY = 5_000;

/** Whether the device of a row `d (kind, id)` was below an altered level after the changes. */
function wasBelow({ projectId, last }: ChangeRange, { levels }: ChangedScopes): Sql {
  const { region, cell, label } = levels;
  const pastRecord = changeRecordAt(
    { after: last },
    sql`o.project_id = ${projectId} AND o.kind = d.kind AND o.object_id = d.id`,
  );
  return sql`EXISTS (SELECT FROM (${pastRecord}) s WHERE s.action <> 'delete'
    AND ((s.after ->> 'region_id')::bigint = ANY(${arrayParameter(region)}::bigint[])
      OR (s.after ->> 'cell_id')::bigint = ANY(${arrayParameter(cell)}::bigint[])
      OR s.labels_after && ${arrayParameter(label)}::bigint[]))`;
}

/**
 * Finds all former devices with one query, if there are few records after the changes.
 * @returns undefined if there are more than `MAX_RECORDS_PER_QUERY`
 */
async function findFormerDevices(
  range: ChangeRange,
  scopes: ChangedScopes,
  on: Queryable,
): Promise<FormerDevices | undefined> {
  const { projectId, last } = range;
  const [row] = await on.rows<{ records: number; examined: number; ids: number[] }>(
    sql`WITH later AS MATERIALIZED (
      SELECT l.kind, l.object_id FROM change_objects l WHERE l.project_id = ${projectId} AND l.change_id > ${last}
      ORDER BY l.change_id LIMIT ${MAX_RECORDS_PER_QUERY + 1}
    ), touched AS MATERIALIZED (
      SELECT DISTINCT l.kind, l.object_id AS id FROM later l WHERE l.kind = ANY(${arrayParameter(deviceKindNames)}::text[])
        AND (SELECT count(*) FROM later) <= ${MAX_RECORDS_PER_QUERY}
    ) SELECT (SELECT count(*) FROM later) AS records, (SELECT count(*) FROM touched) AS examined,
      ARRAY(SELECT d.id FROM touched d WHERE ${wasBelow(range, scopes)} ORDER BY d.id)::float8[] AS ids`,
    'custom',
  );
  if (!row) throw new Error('a query for one row found none');
  const { records, examined, ids } = row;
  return records > MAX_RECORDS_PER_QUERY ? undefined : { ids, through: undefined, cost: examined };
}

/**
 * Finds the next former devices after an id. It works with any number of records: it walks the index from device to
 * device and stops after `DEVICES_PER_QUERY`.
 */
async function findNextFormerDevices(
  range: ChangeRange,
  scopes: ChangedScopes,
  afterId: number,
  on: Queryable,
): Promise<FormerDevices> {
  const { projectId, last: lastChange } = range;
  const next = (last: Sql): Sql => sql`(
    SELECT k.kind, n.object_id FROM unnest(${arrayParameter(deviceKindNames)}::text[]) AS k (kind) CROSS JOIN LATERAL (
      SELECT o.object_id FROM change_objects o
      WHERE o.project_id = ${projectId} AND o.kind = k.kind AND o.object_id > ${last} ORDER BY o.object_id LIMIT 1) n
    ORDER BY n.object_id LIMIT 1)`;
  const [row] = await on.rows<{ examined: number; last: number | null; ids: number[] }>(
    sql`WITH RECURSIVE walk (kind, id, step) AS (
      SELECT f.kind, f.object_id, 1 FROM ${next(sql`${afterId}::bigint`)} f
      UNION ALL
      SELECT f.kind, f.object_id, w.step + 1 FROM walk w CROSS JOIN LATERAL ${next(sql`w.id`)} f
      WHERE w.step < ${DEVICES_PER_QUERY}
    ) SELECT count(*) AS examined, max(d.id) AS last, COALESCE(array_agg(d.id::float8 ORDER BY d.id) FILTER (
        WHERE EXISTS (SELECT FROM change_objects l WHERE l.project_id = ${projectId} AND l.kind = d.kind
          AND l.object_id = d.id AND l.change_id > ${lastChange}) AND ${wasBelow(range, scopes)}), '{}') AS ids
    FROM walk d`,
    'custom',
  );
  if (!row) throw new Error('a query for one row found none');
  const { examined, last, ids } = row;
  return { ids, through: examined < DEVICES_PER_QUERY ? undefined : (last ?? undefined), cost: examined };
}
