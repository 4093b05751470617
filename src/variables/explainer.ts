import { Injectable } from '@nestjs/common';
import { readingAt, type Moment } from '../changes/point-in-time';
import { fromPast } from '../changes/past-state';
import { visibleProjects, type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import { Database, type Queryable } from '../database/database';
import { list, raw, sql, type Sql } from '../database/sql';
import { from, inScope } from '../database/resource-sql';
import { timestampText, type ResourceShape } from '../database/resource-shape';
import {
  explanationText,
  settingsOf,
  type Explained,
  type FindProvenance,
  type Provenance,
  type Settings,
} from './explanation';
import type { Inheriting } from './inheritance';
import type { Levels, Subject } from './levels';
import { settersAt } from './past-key-origins';
import { subjectColumns } from './target-columns';
import { VariableResolver } from './variable-resolver';

/** A resource as it is read in order to be explained. */
export interface ExplainedRow extends Subject {
  readonly explained_id: number;
  readonly explained_name: string;
}

/** The columns of an `ExplainedRow` over `t`, beside those of a `Subject`. */
export const explainedColumns = ({ fields, nameField }: ResourceShape): Sql =>
  raw(`t.id AS explained_id, ${fields[nameField]?.sql ?? 't.id'}::text AS explained_name`);

interface ProvenanceRow extends Provenance {
  [column: string]: unknown;
  readonly project_id: string;
  readonly kind: string;
  readonly id: number;
  readonly key: string;
}

/** Explains variables: where each value comes from, and what it hides. */
@Injectable()
export class Explainer {
  constructor(
    private readonly resolver: VariableResolver,
    private readonly database: Database,
  ) {}

  /**
   * The variables of one resource, explained, as JSON text.
   * @param keys the keys that are asked for; undefined: all of them. One that is not set is not in the answer
   * @param at as of which moment; undefined: by now
   * @throws InventoryError 400 for a time to come, 404 if the caller cannot see the resource, or if it was not there
   */
  async one(
    ctx: RequestContext,
    { shape, inheritance }: Inheriting,
    id: number,
    keys: readonly string[] | undefined,
    at?: Moment,
  ): Promise<string> {
    const scope = visibleProjects(ctx);
    const source = at
      ? fromPast(shape, scope, [id], at)
      : sql`${from(shape)} WHERE ${inScope(shape, scope)} AND t.id = ${id}`;
    const read = async (on: Queryable) => {
      const [row] = await on.rows<ExplainedRow & Record<string, unknown>>(
        sql`SELECT ${subjectColumns(inheritance, at)}, ${explainedColumns(shape)} ${source}`,
      );
      if (!row) throw InventoryError.notFound(shape.kind, id);
      const levels = await this.resolver.levels(ctx, [row], on, at);
      const [explanation = '{}'] = await this.explain(shape, [row], levels, keys, on, at);
      return explanation;
    };
    // Values and who set them are read one after the other: on one state of the database, they belong together.
    const reading = this.database.reading(ctx);
    return at ? readingAt(reading, at, read) : reading.snapshot(read);
  }

  /** @returns for each row, in order, the explanation of its variables as JSON text. One query. */
  async explain(
    { kind }: ResourceShape,
    rows: readonly ExplainedRow[],
    levels: Levels,
    keys: readonly string[] | undefined,
    on: Queryable,
    at?: Moment,
  ): Promise<string[]> {
    const explained = rows.map((row): [Explained, Settings] => {
      const one = { subject: row, kind, id: row.explained_id, name: row.explained_name };
      return [one, settingsOf(one, levels, keys)];
    });
    const provenance = await this.provenance(explained, on, at);
    return explained.map(([{ subject }, settings]) =>
      explanationText(settings, provenance(subject.project_id)),
    );
  }

  /** Reads who set what, once for each level and key, however many resources inherit it. */
  private async provenance(
    explained: readonly [Explained, Settings][],
    on: Queryable,
    at: Moment | undefined,
  ): Promise<(projectId: string) => FindProvenance> {
    const wanted = new Map<string, Place>();
    for (const [{ subject }, settings] of explained)
      for (const [key, setting] of settings)
        for (const { kind, id } of setting) {
          const projectId = subject.project_id;
          wanted.set(placeOf(projectId, kind, id, key), { projectId, kind, id, key });
        }
    const places = [...wanted.values()];
    const rows =
      places.length === 0
        ? []
        : await on.rows<ProvenanceRow>(sql`
            SELECT v.project_id, v.kind, v.id, v.key, c.id AS change_id,
              c.actor_username AS set_by, ${raw(timestampText('c.created_at'))} AS set_at, c.reason
            FROM (${settersOf(places, at)}) v
            JOIN changes c ON c.project_id = v.project_id AND c.id = v.change_id`);
    const found = new Map<string, Provenance>(
      rows.map((row) => [placeOf(row.project_id, row.kind, row.id, JSON.stringify(row.key)), row]),
    );
    return (projectId) => (key, setting) => {
      const provenance = found.get(placeOf(projectId, setting.kind, setting.id, key));
      if (provenance) return provenance;
      throw new Error(`no change is known that set ${key} of the ${setting.kind} ${String(setting.id)}`);
    };
  }
}

/** A key of one level. */
interface Place {
  readonly projectId: string;
  readonly kind: string;
  readonly id: number;
  /** A JSON string. */
  readonly key: string;
}

/** Which changes set the keys of levels, as a query for `project_id`, `kind`, `id`, `key` and `change_id`. */
function settersOf(places: readonly Place[], at: Moment | undefined): Sql {
  const asked = sql`SELECT * FROM unnest(${list(places.map((place) => place.projectId))}::uuid[],
    ${list(places.map((place) => place.kind))}::text[], ${list(places.map((place) => place.id))}::bigint[],
    ${list(places.map((place) => JSON.parse(place.key) as string))}::text[]) AS asked (project_id, kind, id, key)`;
  if (at) return settersAt(at, asked);
  return sql`SELECT asked.*, v.change_id FROM (${asked}) asked
    JOIN variable_correlations v ON v.project_id = asked.project_id AND v.object_type = asked.kind
      AND v.object_id = asked.id AND v.key = asked.key`;
}

const placeOf = (projectId: string, kind: string, id: number, key: string): string =>
  `${projectId} ${kind} ${String(id)} ${key}`;
