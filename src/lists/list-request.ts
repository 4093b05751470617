import type { ProjectScope } from '../core/context/request-context';
import type { Sql } from '../database/sql';
import type { ResourceMapping, SortColumn } from '../database/resource-mapping';

/** The order of a list. The last key is always the id, so no two rows compare equal. */
export interface SortOrder {
  readonly keys: readonly SortColumn[];
  readonly descending: boolean;
}

/** The sort keys of one row, as texts that the database can read back; null if the column is null. */
export type KeyValues = readonly (string | null)[];

/**
 * A table that has at most one matching row for each row of a list, and an index of its matching rows in the order of the
 * list's ids.
 */
export interface JoinedTable {
  /** Its name and alias, for a `FROM` clause. */
  readonly table: Sql;
  /** Its column `project_id`, with the alias. */
  readonly projectColumn: Sql;
  /** Its column that equals `t.id`, with the alias. A scan of the index can start at any id. */
  readonly idColumn: Sql;
  /** Which of its rows match: a condition over them and the driving row. */
  readonly where: Sql;
  /** Set if its rows are read in id order, and those of the list are looked up; absent: they are joined. */
  readonly inOrder?: true;
}

/**
 * A set of rows that belong to a list. A list with several branches is their union. Branches must be disjoint. Each is
 * read through its own index, in the order of the list, and not beyond the end of the page.
 */
export interface Branch {
  /** Rows `s (project_id, …)` that lead to `t`; a page is read for each of them. Absent: the projects in scope. */
  readonly drivingRows?: Sql;
  /** A joined table whose index leads to `t`. */
  readonly through?: JoinedTable;
  /** A condition over `t` and the driving row. */
  readonly where: Sql;
  /** A further condition, which the index of the branch cannot answer: of the rows that it finds, few may meet it. */
  readonly recheck?: Sql;
  /** A branch with the same rows, to be read if the index finds too many. */
  readonly alternative?: Branch;
  /**
   * The index of the branch returns rows in no order, so all matches are read and sorted. Use 'whole' for rare matches,
   * and 'in blocks' if the index can also find the matches in one block of ids (`t.id / 4096`).
   */
  readonly unordered?: 'whole' | 'in blocks';
  /**
   * The column whose order a range of an index has. In that order, a read ends with the page, and the size of the range
   * can be counted.
   */
  readonly rangeColumn?: string;
}

/** The branches through which all rows that meet one condition of a list can be read. */
export interface AccessPath {
  readonly branches: readonly Branch[];
  /** The same condition over `t`. */
  readonly match: Sql;
}

/** The marker of the last page. Its position is searched only when the page is read, not for each link to it. */
export const LAST_PAGE = 'last';

/** Where a page begins. */
export type Marker =
  | { readonly kind: 'last' }
  /** After the item with this id. */
  | {
      readonly kind: 'item';
      readonly id: string;
      /** A digest of the item's sort keys when the marker was made; the marker is invalid if it differs. */
      readonly digest?: string;
    }
  /** After a position, whether an item has it or not. */
  | { readonly kind: 'position'; readonly keys: KeyValues };

/** How change records tell whether a marker is the id of an item that was deleted. */
export interface DeletedItems {
  /** The kinds of the items, as in change records. */
  readonly kinds: readonly string[];
  /** A condition over the record `t` of `deletionOf` for the items that the caller could see. Absent: all in scope. */
  readonly readable?: Sql;
}

/** What to list. */
export interface ListRequest {
  readonly mapping: ResourceMapping;
  readonly scope: ProjectScope;
  readonly conditions: readonly Sql[];
  /** A condition over `t` for the rows that the caller may read; it applies to the marker. Absent: all in scope. */
  readonly readable?: Sql;
  /** Absent: all rows that meet the conditions. */
  readonly branches?: readonly Branch[];
  /** A branch that has the same rows as `branches`, and reads them in id order. Only `ListEngine` uses it. */
  readonly orderedBranch?: Branch | undefined;
  /** Whether a row belongs to any of the branches, as one condition over `t`. */
  readonly match?: Sql | undefined;
  /** First `branches` with `match`, then the access paths of other conditions that can replace them. */
  readonly accessPaths?: readonly AccessPath[];
  /**
   * A query for `id` of rows, of which all that belong to the list are among them; one row with NULL if there are too many. To
   * be used if matches are rare. Absent: they are found through branches only.
   */
  readonly candidates?: Sql | undefined;
  /** A query for `project_id` and `id` of all members of the list, for lists that are computed as a whole. */
  readonly members?: Sql;
  readonly order: SortOrder;
  readonly limit: number;
  /** Absent: the first page. */
  readonly marker?: Marker;
  /** Absent: items are never deleted. */
  readonly deleted?: DeletedItems;
  /** The shown members of `t` as one JSON text. Members that are not shown are not computed. */
  readonly body: Sql;
  /** Further columns of `t` that the caller needs. */
  readonly columns: Sql;
  /** Joins for the columns, as SQL that follows `FROM … t`. They have one row for each row of `t`. */
  readonly columnJoins?: Sql;
}

/** One read of a list: `limit` items in an order, after a marker. */
export interface KeysetRead {
  readonly order: SortOrder;
  readonly marker: KeyValues | undefined;
  readonly limit: number;
}

/** The position of an item in its list. */
export interface RowPosition {
  readonly projectId: string;
  readonly id: string;
  readonly keys: KeyValues;
}
