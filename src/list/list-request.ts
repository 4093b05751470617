import type { ProjectScope } from '../core/context/request-context';
import type { Sql } from '../database/sql';
import type { ResourceShape } from '../database/resource-shape';
import type { KeyValues, SortOrder } from './keyset';

/**
 * One way in which a row can belong to a list. A list with several is their union: they must not overlap, and each
 * is read through an index of its own, in the list's order, no further than a page.
 */
export interface Branch {
  /** Rows `s (project_id, …)` that lead to `t`, for each of which a page is read; absent: the projects in scope. */
  readonly drivers?: Sql;
  /** What else to join to `t`, as SQL that follows `FROM … t`. */
  readonly join?: Sql;
  readonly where: Sql;
  /** Another column that equals `t.id`, by which the branch's index is ordered: a late page is entered there. */
  readonly sameAsId?: Sql;
  /**
   * The branch's index knows no order: all that it finds is read and sorted. For what is rare; or, where the index can
   * find what is in one block of ids (`t.id / 4096`), for a block at a time.
   */
  readonly unordered?: 'whole' | 'in blocks';
  /**
   * Of what an index has as one stretch: the column that this is in the order of. In that order no more than a page is
   * read, and how much there is can be counted.
   */
  readonly rangeOf?: string;
}

/** All ways in which a row can meet one condition of a list. */
export interface Way {
  readonly branches: readonly Branch[];
  /** The same as one condition over `t`. */
  readonly match: Sql;
}

/** What to list. */
export interface ListRequest {
  readonly shape: ResourceShape;
  readonly scope: ProjectScope;
  readonly conditions: readonly Sql[];
  /** A condition over `t` for what the caller may see, of which the marker is one; absent: all in scope. */
  readonly readable?: Sql;
  /** Absent: every row that meets the conditions. */
  readonly branches?: readonly Branch[];
  /** Whether a row belongs to any of the branches, as one condition over `t`. */
  readonly match?: Sql;
  /** The branches and the match first; then those of others of the conditions, each of which could lead as well. */
  readonly ways?: readonly Way[];
  /** All that the list holds, as a query for `project_id` and `id`, where it has to be known as a whole. */
  readonly members?: Sql;
  readonly order: SortOrder;
  readonly limit: number;
  /** The id of the last item seen. */
  readonly marker?: string;
  /** The shown members of `t` as one JSON text: what is not asked for is not computed. */
  readonly body: Sql;
  /** Columns of `t` that the caller needs beside the shown members. */
  readonly columns: Sql;
}

/** So many items in this order, after the marker. */
export interface Walk {
  readonly order: SortOrder;
  readonly marker: KeyValues | undefined;
  readonly limit: number;
}

/** Where an item stands in its list. */
export interface Place {
  readonly projectId: string;
  readonly id: string;
  readonly keys: KeyValues;
}
