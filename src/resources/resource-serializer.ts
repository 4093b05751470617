import { Injectable } from '@nestjs/common';
import type { PointInTime } from '../changes/point-in-time';
import type { RequestContext } from '../core/context/request-context';
import { Database, type Queryable } from '../database/database';
import { join, raw, sql, type Sql, list } from '../database/sql';
import type { ListRow } from '../list/list-engine';
import { appendMembers } from '../core/json/json-document';
import type { ResourceShape } from '../database/resource-shape';
import type { ResourceDefinition } from './resource-definition';
import { explainedColumns, Explainer, type ExplainedRow } from '../variables/explainer';
import type { LevelSet, ResolutionTarget } from '../variables/levels';
import { targetColumns, VariableResolver } from '../variables/variable-resolver';
import { from, isReadable, ofKind } from '../database/resource-sql';

/** What is needed of a row beside its members, according to what is shown. */
interface PresentedRow extends ExplainedRow {
  [column: string]: unknown;
  readonly up: string | null;
}

/** How rows are to be shown. */
export interface SerializerOptions {
  readonly listing: Pick<ResourceDefinition, 'inheritance' | 'up' | 'past'>;
  readonly members: readonly string[];
  readonly resolved: boolean;
  /** The keys to explain, of resources of this shape. */
  readonly explained?: { readonly shape: ResourceShape; readonly keys: readonly string[] } | undefined;
  /** The moment that they are of; undefined: by now. */
  readonly at?: PointInTime | undefined;
  /** Whether they are so few that their levels' stamps are read with them. */
  readonly few?: boolean;
  /** Whether variables that are heavy are left for later. */
  readonly lightOnly?: boolean;
  /** Set within a transaction that has written none of the levels. */
  readonly leavesLevels?: boolean | undefined;
}

/** Puts answers together: a row's members, its variables, resolved or its own, and its links, all as JSON text. */
@Injectable()
export class ResourceSerializer {
  constructor(
    private readonly resolver: VariableResolver,
    private readonly explainer: Explainer,
    private readonly database: Database,
  ) {}

  /** The columns of `t` that `present` needs; what is not shown is not read. */
  columns({ listing, members, resolved, explained, at, few, lightOnly }: SerializerOptions): Sql {
    const { inheritance, past } = listing;
    const up = at ? past?.up?.() : listing.up === undefined ? undefined : raw(listing.up);
    const columns: Sql[] = [];
    if (explained) columns.push(explainedColumns(explained.shape));
    if (members.includes('variables') || explained)
      columns.push(
        targetColumns(inheritance, at, { lightOnly, stamped: few === true && resolved && !explained }),
      );
    if (members.includes('links') && up) columns.push(sql`${up} AS up`);
    return columns.length === 0 ? sql`t.project_id` : join(columns);
  }

  /** @returns the rows' JSON texts, in order, each put together when it is taken */
  async serialize(
    ctx: RequestContext,
    rows: readonly ListRow<PresentedRow>[],
    how: SerializerOptions,
    on: Queryable = this.database,
  ): Promise<Iterable<string>> {
    const showsVariables = how.members.includes('variables');
    const showsLinks = how.members.includes('links');
    const { resolved, explained, at } = how;
    const levels =
      (showsVariables && resolved) || explained
        ? await this.resolver.readLevelSet(ctx, rows, on, at, how.leavesLevels)
        : undefined;
    const documents = showsVariables ? this.documents(ctx, rows, resolved ? levels : undefined) : undefined;
    const explanations =
      explained &&
      levels &&
      (await this.explainer.explainRows(explained.shape, rows, levels, explained.keys, on));
    return (function* () {
      const document = documents?.[Symbol.iterator]();
      for (const [i, row] of rows.entries()) {
        const more: string[] = [];
        if (document) more.push(`"variables":${String(document.next().value)}`);
        if (showsLinks) more.push(`"links":${linksOf(row.up, ctx.base)}`);
        if (explanations) more.push(`"explain":${explanations[i] ?? '{}'}`);
        yield appendMembers(row.body, more);
      }
    })();
  }

  /** Resolved over the levels, or without them the own ones. */
  private *documents(
    ctx: RequestContext,
    rows: readonly ResolutionTarget[],
    levels: LevelSet | undefined,
  ): Generator<string> {
    if (levels) for (const row of rows) yield levels.resolve(row);
    else yield* this.resolver.ownDocuments(ctx, rows);
  }
}

const linksOf = (up: string | null, base: string): string =>
  up === null ? '[]' : JSON.stringify([{ rel: 'up', href: `${base}/v1/${up}` }]);

/** A row of a page of resources with variables; or, as long as its own variables are null, the place of one. */
export interface ReferencedRow {
  readonly list_id: string;
  readonly project_id: string;
  /** About as many bytes as its own variables have, at most. */
  readonly weight: number;
  readonly own_variables: string | null;
}

/** As many as a page has where nothing is said. */
export const MAX_ROWS_PER_CHUNK = 1_000;
/** In bytes: see `ROW_SIZE`. */
const MAX_WEIGHT = 1024 * 1024;

/**
 * What tells the weight of a row of `t`, without a look at its variables. Text that repeats itself is stored in a
 * hundredth of its length at best, and in a third as a rule.
 */
export const ROW_SIZE = sql`pg_column_size(t.variables)
  * CASE WHEN pg_column_compression(t.variables) IS NULL THEN 1 ELSE 16 END AS weight`;

/** All that is read at first of pages that are longer than a portion: which rows they have. */
export const ROW_REFERENCE = sql`t.project_id, NULL::text AS own_variables, ${ROW_SIZE}`;

export const isReference = ({ own_variables: own }: ReferencedRow): boolean => own === null;

/** Cuts a page into what is held at once while it is sent, in its order: each as much as is light enough together. */
export function pageChunks<R extends ReferencedRow>(rows: readonly R[]): R[][] {
  const portions: R[][] = [];
  let portion: R[] = [];
  let weight = 0;
  for (const row of rows) {
    if (portion.length === MAX_ROWS_PER_CHUNK || (portion.length > 0 && weight + row.weight > MAX_WEIGHT)) {
      portions.push(portion);
      portion = [];
      weight = 0;
    }
    portion.push(row);
    weight += row.weight;
  }
  if (portion.length > 0) portions.push(portion);
  return portions;
}

/** The rows of places, in no order, as they are by now: who may no longer see one does not. */
export function referencedRows(
  places: readonly ReferencedRow[],
  shape: ResourceShape,
  ctx: RequestContext,
  shown: { readonly columns: Sql; readonly body: Sql },
): Sql {
  const projects = [...new Set(places.map(({ project_id: projectId }) => projectId))];
  return sql`SELECT t.id::text AS list_id, ${shown.columns}, ${shown.body} AS body ${from(shape)}
    WHERE t.project_id = ANY(${list(projects)}::uuid[]) AND ${ofKind(shape)} AND ${isReadable(shape, ctx)}
      AND t.id = ANY(${list(places.map(({ list_id: id }) => id))}::${raw(shape.idType)}[])`;
}
