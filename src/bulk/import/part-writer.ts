import type { ChangeSet } from '../../changes/change-set';
import type { LabelAssignments } from '../../labels/label-assignments';
import { labelNames } from '../../labels/label-names';
import { InventoryError } from '../../core/errors/inventory-error';
import { Overtaken } from '../../database/errors/concurrent-modification-error';
import { join, list, raw, sql, type Sql } from '../../database/sql';
import type { LabelTable, ResourceShape } from '../../database/resource-shape';
import { foundLines } from './lookup-existing';
import type { Line } from './line';
import { lineGroups, type LineGroup } from './line-kinds';
import type { Done } from './import-report';
import type { SeenNames } from './name-index';
import { settle, type FailedLine, type SettledLine } from './resolve-references';

/** What came of the lines of a part. */
export interface WrittenPart {
  readonly done: readonly { readonly line: number; readonly result: Done; readonly id: number }[];
  readonly failed: readonly FailedLine[];
}

/** Writes lines of one group, all at once: so many statements for a part, however many lines it has. */
export class PartWriter {
  private readonly source: Sql;

  private constructor(
    private readonly change: ChangeSet,
    private readonly projectId: string,
    private readonly group: LineGroup,
    private readonly lines: readonly SettledLine[],
    /** The ids of the labels that lines name; undefined for a line that leaves them. */
    private readonly labels: readonly (readonly number[] | undefined)[],
  ) {
    this.source = this.sourceOf(lines);
  }

  /** @throws what the database refuses of the lines */
  static async write(
    change: ChangeSet,
    labels: LabelAssignments,
    seen: SeenNames,
    lines: readonly Line[],
  ): Promise<WrittenPart> {
    const [first] = lines;
    if (!first) return { done: [], failed: [] };
    const { ctx, tx } = change;
    const { projectId } = ctx;
    const { group } = first.kind;
    const found = await foundLines(tx, projectId, group, lines);
    const free = await newIds(change, group, found.filter(({ id }) => id === null).length);
    const newId = (): number => {
      const id = free.pop();
      if (id === undefined) throw new Error('more is new than was looked up');
      return id;
    };
    const { settled, failed } = settle({ ctx, seen, newId }, lines, found);
    if (settled.length === 0) return { done: [], failed };
    const labelIds = await labelIdsOf(change, labels, projectId, settled);
    const writer = new PartWriter(change, projectId, group, settled, labelIds);
    return { done: await writer.write(), failed };
  }

  private async write(): Promise<WrittenPart['done']> {
    const altered = await this.altered();
    await this.insert();
    await this.update(altered);
    await this.giveLabels(altered);
    await this.requireNoLoop(altered);
    return this.lines.map(({ line: { line }, id, isNew }) => ({
      line,
      id,
      result: isNew ? 'created' : altered.has(id) ? 'updated' : 'unchanged',
    }));
  }

  /** The ids of what is there already and is altered by its line. Digit by digit: `1.0` for `1` is a change. */
  private async altered(): Promise<ReadonlySet<number>> {
    if (this.lines.every(({ isNew }) => isNew)) return new Set();
    const { columns, references, carriesVariables, labels, table } = this.group;
    const differs = [
      ...columns.map(
        ({ column, value, held = `t.${column}` }) =>
          sql`(l.body ? ${raw(`'${column}'`)} AND (${raw(held)})::text IS DISTINCT FROM (${raw(value)})::text)`,
      ),
      ...references.map(
        ({ member, column }) =>
          sql`(l.body ? ${raw(`'${member}'`)} AND t.${raw(column)} IS DISTINCT FROM l.${raw(column)})`,
      ),
      ...(carriesVariables
        ? [
            sql`(l.body ? 'variables' AND (t.variables || (l.body -> 'variables'))::text <> t.variables::text)`,
          ]
        : []),
      ...(labels ? [sql`(l.labels IS NOT NULL AND l.labels::bigint[] <> ${labelsOf(labels)})`] : []),
    ];
    const rows = await this.change.tx.rows<{ id: number }>(
      sql`SELECT t.id FROM ${this.source} CROSS JOIN LATERAL (
          SELECT o.* FROM ${raw(table)} o WHERE o.project_id = ${this.projectId} AND o.id = l.id OFFSET 0
        ) AS t WHERE ${join(differs, ' OR ')}`,
      'each time',
    );
    return new Set(rows.map(({ id }) => id));
  }

  private async insert(): Promise<void> {
    const fresh = this.lines.filter(({ isNew }) => isNew);
    if (fresh.length === 0) return;
    const { table, name, columns, references, carriesVariables, isKinds } = this.group;
    const values: [column: string, value: string][] = [
      [name, `l.body ->> '${name}'`],
      ...(isKinds ? [['kind', `l.body ->> 'kind'`] as [string, string]] : []),
      ...columns.map(({ column, value, usual }): [string, string] => [
        column,
        usual === undefined ? value : `COALESCE(${value}, ${usual})`,
      ]),
      ...references.map(({ column }): [string, string] => [column, `l.${column}`]),
      ...(carriesVariables
        ? [['variables', `COALESCE(l.body -> 'variables', '{}')`] as [string, string]]
        : []),
    ];
    const source = fresh.length === this.lines.length ? this.source : this.sourceOf(fresh);
    await this.change.tx.execute(sql`
      INSERT INTO ${raw(table)} (project_id, id, ${raw(values.map(([column]) => column).join(', '))})
      OVERRIDING SYSTEM VALUE
      SELECT ${this.projectId}::uuid, l.id, ${raw(values.map(([, value]) => value).join(', '))} FROM ${source}`);
    for (const { line, id } of fresh) this.change.created(line.kind.shape, this.projectId, id);
  }

  private async update(altered: ReadonlySet<number>): Promise<void> {
    if (altered.size === 0) return;
    const { table, columns, references, carriesVariables } = this.group;
    const changed = this.lines.filter(({ id }) => altered.has(id));
    for (const [shape, ids] of byShape(changed)) {
      const locked = await this.change.lockAll(
        shape,
        this.projectId,
        sql`t.id = ANY(${list(ids)}::bigint[])`,
      );
      // It came when all that there was was held already, and has gone again since it was looked up.
      if (locked.length !== ids.length) throw new Overtaken();
    }
    const sets = [
      ...columns.map(({ column, value }) => [column, column, value] as const),
      ...references.map(({ member, column }) => [member, column, `l.${column}`] as const),
    ].map(
      ([member, column, value]) =>
        `${column} = CASE WHEN l.body ? '${member}' THEN ${value} ELSE t.${column} END`,
    );
    if (carriesVariables) sets.push(`variables = t.variables || COALESCE(l.body -> 'variables', '{}')`);
    // Planned for the table as it is by now: see `ImportRun.plan`.
    await this.change.tx.rows(
      sql`UPDATE ${raw(table)} t SET ${raw(sets.join(', '))}${raw(sets.length > 0 ? ', ' : '')}${this.change.nextVersion}
        FROM ${this.sourceOf(changed)} WHERE t.project_id = ${this.projectId} AND t.id = l.id`,
      'each time',
    );
  }

  private async giveLabels(altered: ReadonlySet<number>): Promise<void> {
    const { labels } = this.group;
    if (!labels) return;
    const given = this.lines.flatMap(({ id, isNew }, i) => {
      const ids = this.labels[i];
      return ids && (isNew ? ids.length > 0 : altered.has(id)) ? [{ id, isNew, ids }] : [];
    });
    if (given.length === 0) return;
    const [table, owner] = [raw(labels.table), raw(labels.owner)];
    const source = sql`unnest(${list(given.map(({ id }) => id))}::bigint[],
      ${list(given.map(({ ids }) => arrayText(ids)))}::text[]) AS l (id, labels)`;
    if (given.some(({ isNew }) => !isNew))
      await this.change.tx.rows(
        sql`DELETE FROM ${table} a USING ${source}
          WHERE a.project_id = ${this.projectId} AND a.${owner} = l.id AND a.label_id <> ALL(l.labels::bigint[])`,
        'each time',
      );
    await this.change.tx.execute(sql`INSERT INTO ${table} (project_id, ${owner}, label_id)
      SELECT ${this.projectId}::uuid, l.id, g.label_id FROM ${source}, unnest(l.labels::bigint[]) AS g (label_id)
      ON CONFLICT DO NOTHING`);
  }

  /** What is new hangs below what was there before it; so rings come of updates alone. @throws InventoryError 405 */
  private async requireNoLoop(altered: ReadonlySet<number>): Promise<void> {
    if (this.group !== lineGroups.devices) return;
    const hung = this.lines
      .filter(({ id, references }) => altered.has(id) && references['parent_id'] !== null)
      .map(({ id }) => id);
    if (hung.length === 0) return;
    const [loop] = await this.change.tx.rows(sql`
      WITH RECURSIVE above (start, id) AS (
        SELECT d.id, d.parent_id FROM devices d
        WHERE d.project_id = ${this.projectId} AND d.id = ANY(${list(hung)}::bigint[])
        UNION
        SELECT above.start, d.parent_id FROM above JOIN devices d
          ON d.project_id = ${this.projectId} AND d.id = above.id
        WHERE above.id <> above.start
      ) SELECT FROM above WHERE id = start`);
    if (loop) throw InventoryError.forbiddenByInventory('parent', 'the parent is below this device');
  }

  /** Lines as rows `l`: the body, the ids of what it names, and the labels' ids as the text of an array. */
  private sourceOf(lines: readonly SettledLine[]): Sql {
    const { references } = this.group;
    const labels = new Map(this.lines.map((line, i) => [line, this.labels[i]]));
    const columns = references.map(({ column }) => ({
      column,
      ids: list(lines.map((line) => line.references[column] ?? null)),
    }));
    return sql`ROWS FROM (
      jsonb_array_elements(${`[${lines.map(({ line }) => line.text).join(',')}]`}::jsonb),
      unnest(${list(lines.map(({ id }) => id))}::bigint[]),
      unnest(${list(lines.map((line) => arrayText(labels.get(line))))}::text[])${columns.map(({ ids }) => sql`, unnest(${ids}::bigint[])`).reduce((all, one) => sql`${all}${one}`, sql``)}
    ) AS l (body, id, labels${raw(columns.map(({ column }) => `, ${column}`).join(''))})`;
  }
}

/** The labels that a resource `t` has by now. */
const labelsOf = ({ table, owner }: LabelTable): Sql => sql`ARRAY(SELECT a.label_id FROM ${raw(table)} a
  WHERE a.project_id = t.project_id AND a.${raw(owner)} = t.id ORDER BY a.label_id)`;

const arrayText = (ids: readonly number[] | undefined): string | null => (ids ? `{${ids.join(',')}}` : null);

async function newIds({ tx }: ChangeSet, { table }: LineGroup, count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await tx.rows<{ id: number }>(
    sql`SELECT nextval(${raw(`'${table}_id_seq'`)}) AS id FROM generate_series(1, ${count})`,
  );
  return rows.map(({ id }) => id).sort((a, b) => b - a);
}

async function labelIdsOf(
  change: ChangeSet,
  labels: LabelAssignments,
  projectId: string,
  lines: readonly SettledLine[],
): Promise<(number[] | undefined)[]> {
  const names = lines.map(({ line: { body } }) =>
    body['labels'] === undefined ? undefined : [...new Set(labelNames(body['labels']) as string[])],
  );
  const ids = await labels.idsOf(
    change,
    projectId,
    names.flatMap((some) => some ?? []),
  );
  return names.map((some) => some?.map((name) => ids.get(name) ?? notMade(name)).sort((a, b) => a - b));
}

function notMade(name: string): never {
  throw new Error(`the label ${name} was not made`);
}

function byShape(lines: readonly SettledLine[]): Map<ResourceShape, number[]> {
  const groups = new Map<ResourceShape, number[]>();
  for (const { line, id } of lines) {
    const ids = groups.get(line.kind.shape);
    if (ids) ids.push(id);
    else groups.set(line.kind.shape, [id]);
  }
  return groups;
}
