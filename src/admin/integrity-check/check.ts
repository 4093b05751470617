import type { Sql } from '../../database/sql';

/** Something that must hold of what is stored, as SQL over all of it: the database does the work, set by set. */
export interface Check {
  readonly name: string;
  /** What holds where nothing is at fault. */
  readonly promise: string;
  /** A query for how many things are looked at. */
  readonly counted: Sql;
  /** A query for the faults: `project_id`, `kind`, `id` (null for a project) and `problem`. */
  readonly faults: Sql;
}

/** A place where what is stored does not agree. */
export interface IntegrityFault {
  readonly project_id: string | null;
  /** The kind of resource, or the table of what is none. */
  readonly kind: string;
  readonly id: number | null;
  readonly problem: string;
}

/** What came of a check. */
export interface Finding {
  readonly check: Pick<Check, 'name' | 'promise'>;
  /** How many things were looked at. */
  readonly checked: number;
  /** How many faults there are; those that are listed may be fewer. */
  readonly found: number;
  readonly faults: readonly IntegrityFault[];
}
