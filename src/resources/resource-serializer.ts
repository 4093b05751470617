import { Injectable } from '@nestjs/common';
import type { PointInTime } from '../changes/point-in-time';
import type { RequestContext } from '../core/context/request-context';
import { Database, type Queryable } from '../database/database';
import { join, opaqueArray, raw, sql, type Sql } from '../database/sql';
import type { SelectedColumns } from '../lists/keyset';
import type { ListRow } from '../lists/read-page';
import { appendMembers } from '../core/json/json-text';
import type { ResourceMapping } from '../database/resource-mapping';
import type { ResourceDefinition } from './resource-definition';
import { explainedColumns, Explainer, type ExplainedRow } from '../variables/explainer';
import type { LevelSet, ResolutionTarget } from '../variables/levels';
import {
  JOINED_LABEL_NAMES,
  joinedLabels,
  targetColumns,
  VariableResolver,
  MAX_CHUNK_BYTES,
  VARIABLES_SIZE,
} from '../variables/variable-resolver';
import { from, isReadable, jsonOf, ofKind, inSameProject } from '../database/resource-sql';

/** The columns of a row in addition to its members. */
interface SerializedRow extends ExplainedRow {
  [column: string]: unknown;
  readonly up: string | null;
}

/** How rows are serialized. */
export interface SerializerOptions {
  readonly definition: Pick<ResourceDefinition, 'inheritance' | 'up' | 'past'>;
  readonly members: readonly string[];
  readonly resolved: boolean;
  /** The keys to explain, and the mapping of the rows. */
  readonly explained?: { readonly mapping: ResourceMapping; readonly keys: readonly string[] } | undefined;
  /** The point in time of the rows; undefined: now. */
  readonly at?: PointInTime | undefined;
  /** Whether there are few rows, so that the row versions of their levels are read with them. */
  readonly readsRowVersionsInline?: boolean;
  /** Large variables are left out, to be read later, unless those of all rows together fit into a chunk. */
  readonly omitsLargeVariables?: boolean;
  /** Whether the labels are read by `joinedLabels`. */
  readonly labelsJoined?: boolean;
  /** Set within a transaction that has not written any of the levels. */
  readonly levelsAreCommitted?: boolean | undefined;
}

/** Serializes rows to JSON texts: members, own or resolved variables, links and explanations. */
@Injectable()
export class ResourceSerializer {
  constructor(
    private readonly resolver: VariableResolver,
    private readonly explainer: Explainer,
    private readonly database: Database,
  ) {}

  /** The columns of `t` that `serialize` needs. Columns for members that are not shown are not read. */
  columns(options: SerializerOptions): Sql {
    const { definition, members, explained, at, omitsLargeVariables, labelsJoined } = options;
    const { inheritance, past } = definition;
    const up = at ? past?.up?.() : definition.up === undefined ? undefined : raw(definition.up);
    const columns: Sql[] = [];
    if (explained) columns.push(explainedColumns(explained.mapping));
    if (readsLevels(options))
      columns.push(
        targetColumns(inheritance, at, {
          omitsLargeVariables,
          withRowVersions: readsRowVersions(options),
          labelsJoined,
        }),
      );
    if (members.includes('links') && up) columns.push(sql`${up} AS up`);
    return columns.length === 0 ? sql`t.project_id` : join(columns);
  }

  /** Like `columns`, with the members as `body`, and with joins. For the current state of resources of one kind. */
  select(ctx: RequestContext, mapping: ResourceMapping, options: SerializerOptions): SelectedColumns {
    const members = membersOfMapping(mapping, options.members);
    const { labels } = options.definition.inheritance;
    if (!labels || !members.includes('labels') || !readsLevels(options))
      return { body: jsonOf(mapping, members, ctx), columns: this.columns(options), joins: sql`` };
    return {
      body: jsonOf(withJoinedLabels(mapping), members, ctx),
      columns: this.columns({ ...options, labelsJoined: true }),
      joins: joinedLabels(labels, readsRowVersions(options)),
    };
  }

  /** @returns the JSON texts of the rows, in order; each is built when it is read */
  async serialize(
    ctx: RequestContext,
    rows: readonly ListRow<SerializedRow>[],
    options: SerializerOptions,
    on: Queryable,
  ): Promise<Iterable<string>> {
    const [first = [], ...others] = this.database.splitByProject(rows);
    if (others.length === 0) return this.serializePart(ctx, first, options, on);
    const texts = new Map<string | undefined, Iterator<string>>();
    for (const part of [first, ...others]) {
      const partTexts = await this.serializePart(ctx, part, options, on);
      texts.set(part[0]?.project_id, partTexts[Symbol.iterator]());
    }
    return (function* () {
      for (const { project_id: project } of rows) yield String(texts.get(project)?.next().value);
    })();
  }

  /** @param rows of one project, unless one statement can be about several */
  private async serializePart(
    ctx: RequestContext,
    rows: readonly ListRow<SerializedRow>[],
    options: SerializerOptions,
    on: Queryable,
  ): Promise<Iterable<string>> {
    const showsVariables = options.members.includes('variables');
    const showsLinks = options.members.includes('links');
    const { resolved, explained, at } = options;
    const levels =
      (showsVariables && resolved) || explained
        ? await this.resolver.readLevelSet(ctx, rows, on, at, options.levelsAreCommitted)
        : undefined;
    const documents = showsVariables ? this.documents(ctx, rows, resolved ? levels : undefined) : undefined;
    const explanations =
      explained &&
      levels &&
      (await this.explainer.explainRows(ctx, explained.mapping, rows, levels, explained.keys, on));
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

  /** The variables of rows: resolved over `levels`, or their own without `levels`. */
  private *documents(
    ctx: RequestContext,
    rows: readonly ResolutionTarget[],
    levels: LevelSet | undefined,
  ): Generator<string> {
    if (levels) for (const row of rows) yield levels.resolve(row);
    else yield* this.resolver.ownDocuments(ctx, rows);
  }
}

/** Whether the columns of a `ResolutionTarget` are read. */
const readsLevels = ({ members, explained }: SerializerOptions): boolean =>
  members.includes('variables') || explained !== undefined;

const readsRowVersions = ({
  readsRowVersionsInline = false,
  resolved,
  explained,
}: SerializerOptions): boolean => readsRowVersionsInline && resolved && !explained;

/** Those of the members that the mapping has. Others, such as `links`, are added by the serializer. */
export const membersOfMapping = (mapping: ResourceMapping, members: readonly string[]): string[] =>
  members.filter((member) => Object.hasOwn(mapping.fields, member));

const mappingsWithJoinedLabels = new WeakMap<ResourceMapping, ResourceMapping>();

/** A mapping whose member `labels` is read by `joinedLabels`. */
function withJoinedLabels(mapping: ResourceMapping): ResourceMapping {
  let joined = mappingsWithJoinedLabels.get(mapping);
  if (!joined) {
    joined = { ...mapping, fields: { ...mapping.fields, labels: { sql: JOINED_LABEL_NAMES } } };
    mappingsWithJoinedLabels.set(mapping, joined);
  }
  return joined;
}

const linksOf = (up: string | null, base: string): string =>
  up === null ? '[]' : JSON.stringify([{ rel: 'up', href: `${base}/v1/${up}` }]);

/**
 * A row of a page of resources with variables. If its own variables are null, it is a reference to a row to be read.
 */
export interface ReferencedRow {
  readonly list_id: string;
  readonly project_id: string;
  /** An upper estimate of the size of its own variables, in bytes. */
  readonly weight: number;
  readonly own_variables: string | null;
}

/** As many as the default limit of a list, so that such a page is one chunk. */
export const MAX_ROWS_PER_CHUNK = 1_000;
/** The column `weight` of a `ReferencedRow`. */
export const ROW_SIZE = sql`${raw(VARIABLES_SIZE)} AS weight`;

/** The columns of a `ReferencedRow`, for the first query of a page that is longer than a chunk. */
export const ROW_REFERENCE = sql`t.project_id, NULL::text AS own_variables, ${ROW_SIZE}`;

export const isReference = ({ own_variables: own }: ReferencedRow): boolean => own === null;

/** Splits a page into chunks that fit into memory, in order. A chunk has at least one row. */
export function pageChunks<R extends ReferencedRow>(rows: readonly R[]): R[][] {
  const chunks: R[][] = [];
  let chunk: R[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (chunk.length === MAX_ROWS_PER_CHUNK || (chunk.length > 0 && bytes + row.weight > MAX_CHUNK_BYTES)) {
      chunks.push(chunk);
      chunk = [];
      bytes = 0;
    }
    chunk.push(row);
    bytes += row.weight;
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}

/** A query for the current rows of references, in no order. Rows that the caller may no longer see are omitted. */
export function referencedRows(
  references: readonly ReferencedRow[],
  mapping: ResourceMapping,
  ctx: RequestContext,
  select: SelectedColumns,
): Sql {
  const projects = [...new Set(references.map(({ project_id: projectId }) => projectId))];
  const inProjects = sql`${inSameProject('t.project_id', projects)} AND t.project_id = ANY(${opaqueArray(projects, 'uuid')}::uuid[])`;
  const ids = opaqueArray(
    references.map(({ list_id: id }) => id),
    mapping.idType,
  );
  return sql`SELECT t.id::text AS list_id, ${select.columns}, ${select.body} AS body ${from(mapping)} ${select.joins}
    WHERE ${inProjects} AND ${ofKind(mapping)} AND ${isReadable(mapping, ctx)}
      AND t.id = ANY(${ids}::${raw(mapping.idType)}[])`;
}
