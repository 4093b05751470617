import { type Sql, join, raw, sql } from '../../database/sql';
import { from, ofKind } from '../../database/resource-sql';
import type { ResourceMapping } from '../../database/resource-mapping';
import { revertibleKinds } from '../../history/revert/revertible-kinds';

/** A consistency rule for the stored data, as SQL over all rows. */
export interface Check {
  readonly name: string;
  /** The rule, for people. */
  readonly invariant: string;
  /** A query for the number of checked items. */
  readonly counted: Sql;
  /** A query for the faults: `project_id`, `kind`, `id` (null for a project) and `problem`. */
  readonly faults: Sql;
  /** Whether the rule compares rows of different projects. */
  readonly spansProjects?: true;
}

/** A violation of a rule. */
export interface IntegrityFault {
  readonly project_id: string | null;
  /** The kind of the resource, or the table of a row that is not a resource. */
  readonly kind: string;
  readonly id: number | null;
  readonly problem: string;
}

/** The result of a check. */
export interface Finding {
  readonly check: Pick<Check, 'name' | 'invariant'>;
  /** The number of checked items. */
  readonly checked: number;
  /** The number of faults. `faults` can contain fewer. */
  readonly found: number;
  readonly faults: readonly IntegrityFault[];
}

/** All kinds of stored resources. */
export const kinds: readonly ResourceMapping[] = revertibleKinds.map(({ mapping }) => mapping);

/** The tables of resources with ids of their own. */
export const resourceTables: readonly string[] = [
  ...new Set(kinds.filter(({ idType }) => idType === 'bigint').map(({ table }) => table)),
];

/** The union of a query over the rows `t` of each kind. */
export function ofEveryKind(
  mappings: readonly ResourceMapping[],
  columns: (mapping: ResourceMapping) => Sql,
): Sql {
  const queries = mappings.map(
    (mapping) => sql`SELECT ${columns(mapping)} ${from(mapping)} WHERE ${ofKind(mapping)}`,
  );
  return union(queries);
}

export const union = (queries: readonly Sql[]): Sql => join([...queries], ' UNION ALL ');

/** The kind, as a constant of the program. */
export const storedKindOf = (mapping: ResourceMapping): Sql => raw(`'${mapping.kind}'::text`);

/** The id in change records: null for projects and their settings, whose id is the project id. */
export const recordedId = (mapping: ResourceMapping): Sql =>
  raw(mapping.idType === 'uuid' ? 'NULL::bigint' : 't.id');

/** The documents of all resources with variables: rows of `project_id`, `kind`, `id` and `variables`. */
export const documents: Sql = ofEveryKind(
  kinds.filter((mapping) => mapping.carriesVariables),
  (mapping) => sql`t.project_id, ${storedKindOf(mapping)} AS kind, t.id, t.variables`,
);
