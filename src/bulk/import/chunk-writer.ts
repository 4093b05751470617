import type { ChangeSet } from '../../changes/change-set';
import { type CreatedState, stateOfCreated } from '../../changes/resource-snapshot';
import { compareCodePoints } from '../../core/code-points';
import type { LabelAssignments } from '../../labels/label-assignments';
import { parseLabelNames } from '../../labels/label-names';
import { InventoryError } from '../../core/errors';
import { ConcurrentModificationError } from '../../database/errors/postgres-error';
import { join, arrayParameter, integerArray, raw, sql, textArray, type Sql } from '../../database/sql';
import { reserveIds } from '../../database/reserve-ids';
import { isChanged } from '../../database/resource-sql';
import type { LabelTable, ResourceMapping } from '../../database/resource-mapping';
import { lookUpExisting } from './existing-resources';
import { type FailedLine, type ResolvedLine, resolveReferences } from './resolve-references';
import {
  type ImportLine,
  KEEP_EQUAL_NUMBERS,
  type LineGroup,
  lineGroups,
  lineName,
  UNSET_KEYS,
} from './line-kinds';
import { csvWarningsById, csvWarningColumns, type ComparedRow, type CsvRowWarnings } from './csv-warnings';
import { readExportLines } from '../export/exported-kinds';
import type { ResourceSides } from './line-table';
import type { LineResult } from './import-report';
import type { CsvColumns } from '../csv/csv-reader';
import type { ImportStaging } from './import-staging';

/** The result of a line. */
interface WrittenLine {
  readonly line: number;
  readonly result: LineResult;
  readonly id: number;
  /** For a record of a table whose resource existed. */
  readonly warnings?: CsvRowWarnings;
  /** The changed resource before and after, if the results contain it. */
  readonly sides?: ResourceSides;
}

/** The results of the lines of a chunk. */
export interface WrittenChunk {
  readonly succeeded: readonly WrittenLine[];
  readonly failed: readonly FailedLine[];
}

/** Writes a chunk of lines of one group. The number of statements does not depend on the number of lines. */
export class ChunkWriter {
  private readonly source: Sql;

  private constructor(
    private readonly change: ChangeSet,
    private readonly projectId: string,
    private readonly group: LineGroup,
    private readonly lines: readonly ResolvedLine[],
    /** The labels of each line; undefined if the line does not change the labels. */
    private readonly labels: readonly (readonly LineLabel[] | undefined)[],
    /** The columns of a table. */
    private readonly columns: CsvColumns | undefined,
  ) {
    this.source = this.rowsOf(lines);
  }

  /** @throws InventoryError or a database error if the lines cannot be written */
  static async write(
    change: ChangeSet,
    labels: LabelAssignments,
    staging: ImportStaging,
    lines: readonly ImportLine[],
  ): Promise<WrittenChunk> {
    const [first] = lines;
    if (!first) return { succeeded: [], failed: [] };
    const { ctx, tx } = change;
    const { projectId } = ctx;
    const { group } = first.kind;
    const found = await lookUpExisting(tx, projectId, group, lines);
    const ids = await reserveIds(tx, group.table, found.filter(({ id }) => id === null).length);
    // The least is taken first.
    ids.sort((a, b) => b - a);
    const newId = (): number => {
      const id = ids.pop();
      if (id === undefined) throw new Error('too few ids were reserved for new resources');
      return id;
    };
    const { resolved, failed } = await resolveReferences({ ctx, staging, newId }, lines, found);
    if (resolved.length === 0) return { succeeded: [], failed };
    const labelsOfLines = await findLabels(change, labels, projectId, resolved);
    const writer = new ChunkWriter(change, projectId, group, resolved, labelsOfLines, staging.columns);
    return { succeeded: await writer.write(staging.showsChanges), failed };
  }

  private async write(showsChanges: boolean): Promise<WrittenChunk['succeeded']> {
    const compared = await this.compare();
    const updatedIds = new Set(compared.filter(({ is_updated }) => is_updated).map(({ id }) => id));
    const warnings = this.columns
      ? csvWarningsById(this.change.ctx, compared)
      : new Map<number, CsvRowWarnings>();
    const before = showsChanges ? await this.readResources(updatedIds) : undefined;
    await this.insert();
    await this.update(updatedIds);
    await this.assignLabels(updatedIds);
    await this.assertNoParentCycle(updatedIds);
    const changedIds = this.lines.filter(({ id, isNew }) => isNew || updatedIds.has(id)).map(({ id }) => id);
    const after = showsChanges ? await this.readResources(changedIds) : undefined;
    return this.lines.map(({ line: { line }, id, isNew }) => {
      const warning = warnings.get(id);
      const resource = after?.get(id);
      return {
        line,
        id,
        result: isNew ? 'created' : updatedIds.has(id) ? 'updated' : 'unchanged',
        ...(warning ? { warnings: warning } : {}),
        ...(resource === undefined ? {} : { sides: { before: before?.get(id), after: resource } }),
      };
    });
  }

  /** Reads resources as lines of an export, by id. */
  private readResources(ids: Iterable<number>): Promise<ReadonlyMap<number, string>> {
    const { ctx, tx } = this.change;
    return readExportLines(ctx, tx, this.group.table, [...ids]);
  }

  /** Compares existing resources with their lines. */
  private async compare(): Promise<readonly ComparedRow[]> {
    if (this.lines.every(({ isNew }) => isNew)) return [];
    const { columns, references, carriesVariables, labels, table } = this.group;
    const differences = [
      ...columns.map(
        ({ column, value, stored = `t.${column}` }) =>
          sql`(l.body ? ${raw(`'${column}'`)} AND ${isChanged(raw(stored), raw(value))})`,
      ),
      ...references.map(
        ({ member, column }) =>
          sql`(l.body ? ${raw(`'${member}'`)} AND t.${raw(column)} IS DISTINCT FROM l.${raw(column)})`,
      ),
      ...(carriesVariables
        ? [
            sql`(l.body ?| ARRAY['variables', ${raw(`'${UNSET_KEYS}'`)}] AND ${isChanged(sql`t.variables`, raw(this.mergedVariables('t.variables')))})`,
          ]
        : []),
      ...(labels ? [sql`(l.labels IS NOT NULL AND l.labels::bigint[] <> ${currentLabels(labels)})`] : []),
    ];
    // The rows of a CSV file have warnings, even if they change nothing.
    const selection = this.columns
      ? sql`t.id, (${join(differences, ' OR ')}) AS is_updated, ${csvWarningColumns(this.group, this.columns, this.change.ctx)}`
      : sql`t.id, true AS is_updated`;
    return this.change.tx.rows<ComparedRow>(
      sql`SELECT ${selection} FROM ${this.source} CROSS JOIN LATERAL (
          SELECT o.* FROM ${raw(table)} o WHERE o.project_id = ${this.projectId} AND o.id = l.id OFFSET 0
        ) AS t${this.columns ? sql`` : sql` WHERE ${join(differences, ' OR ')}`}`,
      'custom',
    );
  }

  /** The variables of a resource after the write, as SQL. @param current the variables before */
  private mergedVariables(current: string): string {
    const keepsEqual = this.lines.some(({ line: { body } }) => body[KEEP_EQUAL_NUMBERS] === true);
    const set =
      keepsEqual && current !== NO_VARIABLES ? withoutEqualNumbers(current) : `l.body -> 'variables'`;
    const given = `COALESCE(${set}, '{}')`;
    const merged = current === NO_VARIABLES ? given : `(${current} || ${given})`;
    const unsets = this.lines.some(({ line: { body } }) => body[UNSET_KEYS] !== undefined);
    return unsets
      ? `(${merged} - ARRAY(SELECT jsonb_array_elements_text(l.body -> '${UNSET_KEYS}')))`
      : merged;
  }

  private async insert(): Promise<void> {
    const created = this.lines.filter(({ isNew }) => isNew);
    if (created.length === 0) return;
    const { table, name, columns, references, carriesVariables, hasSeveralKinds } = this.group;
    const values: [column: string, value: string][] = [
      [name, `l.body ->> '${name}'`],
      ...(hasSeveralKinds ? [['kind', `l.body ->> 'kind'`] as [string, string]] : []),
      ...columns.map(({ column, value, default: defaultValue }): [string, string] => [
        column,
        defaultValue === undefined ? value : `COALESCE(${value}, ${defaultValue})`,
      ]),
      ...references.map(({ column }): [string, string] => [column, `l.${column}`]),
      ...(carriesVariables ? [['variables', this.mergedVariables(NO_VARIABLES)] as [string, string]] : []),
    ];
    const source = created.length === this.lines.length ? this.source : this.rowsOf(created);
    const rows = await this.change.tx.rows<{ id: number; variables: string | null }>(sql`
      INSERT INTO ${raw(table)} (project_id, id, ${raw(values.map(([column]) => column).join(', '))})
      OVERRIDING SYSTEM VALUE
      SELECT ${this.projectId}::uuid, l.id, ${raw(values.map(([, value]) => value).join(', '))} FROM ${source}
      RETURNING id, ${raw(carriesVariables ? 'variables::text' : 'NULL')} AS variables`);
    const variables = new Map(rows.map((row) => [row.id, row.variables ?? undefined]));
    for (const [i, line] of this.lines.entries())
      if (line.isNew)
        this.change.createdWithState(
          line.line.kind.mapping,
          this.createdState(line, variables.get(line.id), this.labels[i] ?? []),
        );
  }

  /** The state of a new resource after this chunk, which writes it only once. */
  private createdState(
    { line, id, references }: ResolvedLine,
    variables: string | undefined,
    labels: readonly LineLabel[],
  ): CreatedState {
    return stateOfCreated({
      projectId: this.projectId,
      id,
      name: lineName(line),
      variables,
      regionId: references['region_id'] ?? null,
      cellId: references['cell_id'] ?? null,
      ...(this.group.labels && {
        labelIds: labels.map((label) => label.id),
        labelNames: labels
          .map(({ name }) => name)
          .sort(compareCodePoints)
          .join(','),
      }),
    });
  }

  private async update(updatedIds: ReadonlySet<number>): Promise<void> {
    if (updatedIds.size === 0) return;
    const { table, columns, references, carriesVariables } = this.group;
    const updated = this.lines.filter(({ id }) => updatedIds.has(id));
    for (const [mapping, ids] of idsByMapping(updated)) {
      const locked = await this.change.lockAll(
        mapping,
        this.projectId,
        sql`t.id = ANY(${arrayParameter(ids)}::bigint[])`,
      );
      // A concurrent transaction created the resource after the lock, and deleted it after the lookup.
      if (locked.length !== ids.length) throw new ConcurrentModificationError();
    }
    const assignments = [
      ...columns.map(({ column, value }) => [column, column, value] as const),
      ...references.map(({ member, column }) => [member, column, `l.${column}`] as const),
    ].map(
      ([member, column, value]) =>
        `${column} = CASE WHEN l.body ? '${member}' THEN ${value} ELSE t.${column} END`,
    );
    if (carriesVariables) assignments.push(`variables = ${this.mergedVariables('t.variables')}`);
    // Planned for the current table size: see `ImportRun.prepare`.
    await this.change.tx.rows(
      sql`UPDATE ${raw(table)} t SET ${raw(assignments.join(', '))}${raw(assignments.length > 0 ? ', ' : '')}${this.change.nextVersion}
        FROM ${this.rowsOf(updated)} WHERE t.project_id = ${this.projectId} AND t.id = l.id`,
      'custom',
    );
  }

  private async assignLabels(updatedIds: ReadonlySet<number>): Promise<void> {
    const { labels } = this.group;
    if (!labels) return;
    const assigned = this.lines.flatMap(({ id, isNew }, i) => {
      const ids = this.labels[i]?.map((label) => label.id);
      return ids && (isNew ? ids.length > 0 : updatedIds.has(id)) ? [{ id, isNew, ids }] : [];
    });
    if (assigned.length === 0) return;
    const [table, owner] = [raw(labels.table), raw(labels.owner)];
    const source = sql`unnest(${integerArray(assigned.map(({ id }) => id))}::bigint[],
      ${textArray(assigned.map(({ ids }) => ids.join(',')))}::text[]) AS l (id, labels)`;
    const areNew = assigned.every(({ isNew }) => isNew);
    if (!areNew)
      await this.change.tx.rows(
        sql`DELETE FROM ${table} a USING ${source}
          WHERE a.project_id = ${this.projectId} AND a.${owner} = l.id AND a.label_id::text <> ALL(string_to_array(l.labels, ','))`,
        'custom',
      );
    await this.change.tx.execute(sql`INSERT INTO ${table} (project_id, ${owner}, label_id)
      SELECT ${this.projectId}::uuid, l.id, g.label_id::bigint FROM ${source}, unnest(string_to_array(l.labels, ',')) AS g (label_id)
      ${areNew ? sql`` : sql`ON CONFLICT DO NOTHING`}`);
  }

  /** The parent of a new device exists before it, so only updates can create a cycle. @throws InventoryError 405 */
  private async assertNoParentCycle(updatedIds: ReadonlySet<number>): Promise<void> {
    if (this.group !== lineGroups.devices) return;
    const childIds = this.lines
      .filter(({ id, references }) => updatedIds.has(id) && references['parent_id'] !== null)
      .map(({ id }) => id);
    if (childIds.length === 0) return;
    const [cycle] = await this.change.tx.rows(sql`
      WITH RECURSIVE ancestors (start, id) AS (
        SELECT d.id, d.parent_id FROM devices d
        WHERE d.project_id = ${this.projectId} AND d.id = ANY(${arrayParameter(childIds)}::bigint[])
        UNION
        SELECT ancestors.start, d.parent_id FROM ancestors JOIN devices d
          ON d.project_id = ${this.projectId} AND d.id = ancestors.id
        WHERE ancestors.id <> ancestors.start
      ) SELECT FROM ancestors WHERE id = start`);
    if (cycle)
      throw InventoryError.validationException(
        'parent',
        'inconsistent',
        'the parent is a descendant of this device',
      );
  }

  /** Lines as rows `l` with the body, the id, the referenced ids, and the label ids as the text of an array. */
  private rowsOf(lines: readonly ResolvedLine[]): Sql {
    const { references } = this.group;
    const labels = new Map(this.lines.map((line, i) => [line, this.labels[i]]));
    const columns = references.map(({ column }) => ({
      column,
      ids: integerArray(lines.map((line) => line.references[column] ?? null)),
    }));
    const names = raw(['id', 'labels', ...columns.map(({ column }) => column)].join(', '));
    const arrays = [
      sql`${textArray(lines.map(({ line }) => line.text))}::text[]`,
      sql`${integerArray(lines.map(({ id }) => id))}::bigint[]`,
      sql`${textArray(lines.map((line) => arrayLiteral(labels.get(line))))}::text[]`,
      ...columns.map(({ ids }) => sql`${ids}::bigint[]`),
    ];
    // OFFSET 0 keeps the planner from parsing a line for each of its members.
    return sql`(SELECT u.text::jsonb AS body, ${names} FROM unnest(${join(arrays)}) AS u (text, ${names}) OFFSET 0) AS l`;
  }
}

/**
 * The variables that a line sets, as SQL. If the line keeps equal numbers, the result does not contain numbers that equal the current
 * one: PostgreSQL would replace `1.50` by `1.5`. @param current the variables before
 */
const withoutEqualNumbers = (current: string): string => `(SELECT jsonb_object_agg(v.key, v.value)
  FROM jsonb_each(l.body -> 'variables') AS v (key, value)
  WHERE NOT COALESCE(l.body -> '${KEEP_EQUAL_NUMBERS}' = 'true' AND jsonb_typeof(v.value) = 'number' AND ${current} -> v.key = v.value, false))`;

/** Those of a resource before it is created. */
const NO_VARIABLES = `'{}'::jsonb`;

/** The current labels of a resource `t`. */
const currentLabels = ({ table, owner }: LabelTable): Sql => sql`ARRAY(SELECT a.label_id FROM ${raw(table)} a
  WHERE a.project_id = t.project_id AND a.${raw(owner)} = t.id ORDER BY a.label_id)`;

const arrayLiteral = (labels: readonly LineLabel[] | undefined): string | null =>
  labels ? `{${labels.map(({ id }) => id).join(',')}}` : null;

/** A label in a line. */
interface LineLabel {
  readonly id: number;
  readonly name: string;
}

/** The labels of each line by their ids; undefined if a line does not have the member. */
async function findLabels(
  change: ChangeSet,
  labels: LabelAssignments,
  projectId: string,
  lines: readonly ResolvedLine[],
): Promise<(LineLabel[] | undefined)[]> {
  const names = lines.map(({ line: { body } }) =>
    body['labels'] === undefined ? undefined : [...new Set(parseLabelNames(body['labels']) as string[])],
  );
  const ids = await labels.findOrCreate(
    change,
    projectId,
    names.flatMap((labelsOfLine) => labelsOfLine ?? []),
  );
  return names.map((labelsOfLine) =>
    labelsOfLine
      ?.map((name) => ({ id: ids.get(name) ?? labelMissing(name), name }))
      .sort((a, b) => a.id - b.id),
  );
}

function labelMissing(name: string): never {
  throw new Error(`the label ${name} was not created`);
}

function idsByMapping(lines: readonly ResolvedLine[]): Map<ResourceMapping, number[]> {
  const groups = new Map<ResourceMapping, number[]>();
  for (const { line, id } of lines) {
    const ids = groups.get(line.kind.mapping);
    if (ids) ids.push(id);
    else groups.set(line.kind.mapping, [id]);
  }
  return groups;
}
