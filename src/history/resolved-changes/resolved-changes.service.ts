import { Injectable } from '@nestjs/common';
import { fromSnapshotAt } from '../../changes/point-in-time';
import type { OneProject, RequestContext } from '../../core/context/request-context';
import { shownTime } from '../../core/context/times';
import { InventoryError } from '../../core/errors';
import { appendMembers } from '../../core/json/json-text';
import { Database, type Queryable } from '../../database/database';
import { timestampText } from '../../database/resource-mapping';
import { scopeOfRecords } from '../../database/resource-scope';
import { from, inScope } from '../../database/resource-sql';
import { arrayParameter, raw, sql, type Sql } from '../../database/sql';
import type { InheritingResource } from '../../variables/levels';
import type { IdPage } from '../../lists/list-query';
import { explainedColumns, type ExplainedRow } from '../../variables/explainer';
import { targetColumns, VariableResolver } from '../../variables/variable-resolver';
import {
  keysOfLevels,
  keysOfRecords,
  type LevelRecord,
  levelsBefore,
  type PastLevels,
  resolvedChanges,
  resolvedChangesText,
} from './level-history';

/** Selects a page of the changes of a device's resolved variables. */
export interface ResolvedChangesPage extends IdPage {
  /** Only changes of this variable. */
  readonly key: string | undefined;
}

/** The record of a level or of the device itself, with the head of its change. */
interface RecordRow extends LevelRecord {
  readonly [column: string]: unknown;
  readonly change_id: number;
  readonly name: string;
  /** Whether the region, the cell or the labels of the device changed. */
  readonly moved: boolean;
  readonly created_at: string;
  readonly actor_id: number | null;
  readonly actor_username: string;
  readonly reason: string | null;
}

/** A device, and where to look for its records. */
interface PastDevice extends OneProject {
  readonly kind: InheritingResource;
  readonly id: number;
}

/** The number of records that are read at a time, and their compressed size in bytes. */
const CHUNK_SIZE = 100;
const CHUNK_BYTES = 1024 * 1024;
/** Limit on the records that are read for one page, whether or not they altered a resolved value. */
const MAX_EXAMINED = 1_000;
/** Reading all levels again costs as much as this many records. */
const COST_OF_LEVELS = 20;
/** A page that has this many characters ends. */
const MAX_PAGE_LENGTH = 4 * 1024 * 1024;

/**
 * Lists the changes that altered the resolved variables of a device, newest first. It reads the records of the device and of the
 * levels that it had, and takes each change back from the state after it. So it reads all variables only at the beginning of a page,
 * and where the device got other levels.
 */
@Injectable()
export class ResolvedChangesService {
  constructor(
    private readonly resolver: VariableResolver,
    private readonly database: Database,
  ) {}

  /**
   * A page of the changes with a link to the next one, as JSON text. It can be short or empty before the last one.
   * @throws InventoryError 400 if the marker is not the id of a change, 404 if the device never existed
   */
  async list(
    ctx: RequestContext,
    kind: InheritingResource,
    id: number,
    page: ResolvedChangesPage,
  ): Promise<string> {
    return this.database.reader(ctx).snapshot(async (on) => {
      const { project } = await scopeOfRecords(ctx, kind.mapping, id, on);
      const device = { project, kind, id };
      await assertRecorded(device, page.marker, on);
      return this.readPage(ctx, device, page, on);
    });
  }

  private async readPage(
    ctx: RequestContext,
    device: PastDevice,
    page: ResolvedChangesPage,
    on: Queryable,
  ): Promise<string> {
    const { visibility } = ctx;
    const sees = (key: string) => visibility.sees(key);
    const isWanted = (key: string) => page.key === undefined || JSON.parse(key) === page.key;
    const items: string[] = [];
    let before = page.marker;
    let levels = await this.readLevels(ctx, device, before, on);
    let [examined, length] = [0, 0];
    const isFull = () => items.length >= page.limit || examined >= MAX_EXAMINED || length >= MAX_PAGE_LENGTH;
    while (!isFull()) {
      const changes = byChange(await readRecords(device, levels, before, page.key, on));
      if (changes.length === 0) return pageText(ctx, device, page, items, undefined);
      for (const records of changes) {
        const [{ change_id: id }] = records;
        const own = records.find((record) => record.kind === device.kind.mapping.kind);
        const isMoved = own !== undefined && (own.moved || own.action !== 'update');
        const previous: PastLevels = !isMoved
          ? levels && levelsBefore(levels, records, sees)
          : own.action === 'create'
            ? undefined
            : await this.readLevels(ctx, device, id, on);
        const keys = isMoved
          ? [...keysOfLevels(previous), ...keysOfLevels(levels)]
          : keysOfRecords(levels ?? [], records);
        const altered = resolvedChanges(previous, levels, [...keys].filter(isWanted));
        if (altered.length > 0) {
          const item = appendMembers(headText(ctx, records), [`"changes":${resolvedChangesText(altered)}`]);
          items.push(item);
          length += item.length;
        }
        levels = previous;
        before = id;
        examined += records.length + (isMoved ? COST_OF_LEVELS : 0);
        // The device had other levels before, whose records were not read.
        if (isMoved || isFull()) break;
      }
    }
    return pageText(ctx, device, page, items, before);
  }

  /** Reads all levels of a device. @param before the id of a change; undefined: now */
  private async readLevels(
    ctx: RequestContext,
    { project, kind, id }: PastDevice,
    before: number | undefined,
    on: Queryable,
  ): Promise<PastLevels> {
    const { mapping, inheritance } = kind;
    const at = before === undefined ? undefined : { before };
    const source = at
      ? fromSnapshotAt(mapping, { project }, [id], at)
      : sql`${from(mapping)} WHERE ${inScope(mapping, { project })} AND t.id = ${id}`;
    const [row] = await on.rows<ExplainedRow & Record<string, unknown>>(
      sql`SELECT ${targetColumns(inheritance, at)}, ${explainedColumns(mapping)} ${source}`,
    );
    if (!row) return undefined;
    // A read-only snapshot sees only committed data, so the level cache can be used.
    const levels = await this.resolver.readLevelSet(ctx, [row], on, at, true);
    return levels.allLevels(row, { kind: mapping.kind, id, name: row.explained_name });
  }
}

/** @throws InventoryError 400 if the marker is not the id of a change, 404 if the device never existed */
async function assertRecorded(
  { project, kind: { mapping }, id }: PastDevice,
  marker: number | undefined,
  on: Queryable,
): Promise<void> {
  const [device] = await on.rows(sql`SELECT FROM change_objects o WHERE o.project_id = ${project}
    AND o.kind = ${mapping.kind} AND o.object_id = ${id} LIMIT 1`);
  if (!device) throw InventoryError.notFound(mapping.kind, id);
  if (marker === undefined) return;
  const [change] = await on.rows(
    sql`SELECT FROM changes c WHERE c.project_id = ${project} AND c.id = ${marker}`,
  );
  if (!change) throw InventoryError.invalid('marker', 'not_found', 'is not the id of an item in this list');
}

/** Reads the next older records of a device and of its levels, newest first, and only complete changes. */
async function readRecords(
  { project, kind: { mapping }, id }: PastDevice,
  levels: PastLevels,
  before: number | undefined,
  key: string | undefined,
  on: Queryable,
): Promise<RecordRow[]> {
  const objects = levels ?? [{ kind: mapping.kind, id }];
  const isOlder = before === undefined ? sql`true` : sql`o.change_id < ${before}`;
  const variables: Sql =
    key === undefined
      ? sql`r.variables::text`
      : sql`(CASE WHEN r.variables ? ${key} THEN jsonb_build_object(${key}::text, r.variables -> ${key}) ELSE '{}' END)::text`;
  const member = (side: 'before' | 'after') =>
    raw(`(r.${side} -> 'region_id', r.${side} -> 'cell_id', r.labels_${side})`);
  return on.rows<RecordRow>(
    sql`SELECT r.change_id, r.kind, r.object_id AS id, r.name, r.action, r.before ->> 'label' AS name_before,
      ${variables} AS variables, ${member('before')} IS DISTINCT FROM ${member('after')} AS moved,
      ${raw(timestampText('c.created_at'))} AS created_at, c.actor_id, c.actor_username, c.reason
    FROM (
      SELECT n.*, sum(pg_column_size(n.variables)) OVER (ORDER BY n.change_id DESC
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE GROUP) AS newer_bytes
      FROM (
        SELECT o.* FROM unnest(${arrayParameter(objects.map((one) => one.kind))}::text[],
          ${arrayParameter(objects.map((one) => one.id))}::bigint[]) AS w (kind, id)
        CROSS JOIN LATERAL (
          SELECT o.* FROM change_objects o
          WHERE o.project_id = ${project} AND o.kind = w.kind AND o.object_id = w.id AND ${isOlder}
          ORDER BY o.change_id DESC LIMIT ${CHUNK_SIZE}) o
        ORDER BY o.change_id DESC FETCH FIRST ${CHUNK_SIZE} ROWS WITH TIES
      ) n
    ) r JOIN changes c ON c.project_id = ${project} AND c.id = r.change_id
    WHERE COALESCE(r.newer_bytes, 0) <= ${CHUNK_BYTES} ORDER BY r.change_id DESC, r.ordinal`,
    'custom',
  );
}

/** Records, one array for each change. */
function byChange(records: readonly RecordRow[]): [RecordRow, ...RecordRow[]][] {
  const changes: [RecordRow, ...RecordRow[]][] = [];
  for (const record of records) {
    const last = changes.at(-1);
    if (last && last[0].change_id === record.change_id) last.push(record);
    else changes.push([record]);
  }
  return changes;
}

/** Who made a change, when and why, and which of the device and its levels it wrote. */
function headText(ctx: RequestContext, records: readonly [RecordRow, ...RecordRow[]]): string {
  const [{ change_id: id, created_at, actor_id, actor_username: username, reason }] = records;
  return JSON.stringify({
    id,
    created_at: shownTime(ctx, created_at),
    actor: { id: actor_id, username },
    reason,
    objects: records.map((record) => ({
      kind: record.kind,
      id: record.id,
      name: record.name,
      action: record.action,
    })),
  });
}

function pageText(
  { base }: RequestContext,
  { kind: { mapping }, id }: PastDevice,
  { limit, key }: ResolvedChangesPage,
  items: readonly string[],
  next: number | undefined,
): string {
  const query = new URLSearchParams({ limit: String(limit), ...(key === undefined ? {} : { key }) });
  const href = `${base}/v1/${mapping.collection}/${String(id)}/changes/resolved?${query.toString()}&marker=${String(next)}`;
  const links = next === undefined ? [] : [{ rel: 'next', href }];
  return `{"items":[${items.join(',')}],"links":${JSON.stringify(links)}}`;
}
