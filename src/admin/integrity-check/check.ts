import type { Sql } from '../../database/sql';

/** A consistency rule for the stored data, as SQL over all rows. */
export interface Check {
  readonly name: string;
  /** The rule, for people. */
  readonly promise: string;
  /** A query for the number of checked items. */
  readonly counted: Sql;
  /** A query for the faults: `project_id`, `kind`, `id` (null for a project) and `problem`. */
  readonly faults: Sql;
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
  readonly check: Pick<Check, 'name' | 'promise'>;
  /** The number of checked items. */
  readonly checked: number;
  /** The number of faults. `faults` can contain fewer. */
  readonly found: number;
  readonly faults: readonly IntegrityFault[];
}
