import type { ProjectScope } from '../core/context/request-context';
import type { ListedProjects } from '../database/deleted-resources';
import type { ResourceMapping } from '../database/resource-mapping';
import type { Sql } from '../database/sql';
import type { SelectedColumns, SortOrder } from './keyset';
import type { Marker } from './marker';
import type { Selection } from './selection';

/** How change records tell whether a marker is the id of an item that was deleted. */
export interface DeletedItems {
  /** The kinds of the items, as in change records. */
  readonly kinds: readonly string[];
  /** A condition over the record `t` of `deletionOf` for the items that the caller could see. */
  readonly readable: Sql;
}

/** The rows of a list in one project, or in every project. */
interface SelectionInScope {
  readonly scope: ProjectScope;
  readonly selection: Selection;
}

/** What to list. */
export interface List {
  readonly mapping: ResourceMapping;
  /** One, except for a list of every project in a distributed database: it has one for each project. */
  readonly selections: readonly SelectionInScope[];
  readonly order: SortOrder;
  readonly limit: number;
  /** Undefined: the first page. */
  readonly marker: Marker | undefined;
  /** A condition over `t` for the rows that the caller may read; it applies to the marker. */
  readonly readable: Sql;
  /** Undefined: items are never deleted. */
  readonly deleted: DeletedItems | undefined;
  readonly select: SelectedColumns;
}

/** The projects of a list. */
export function listedProjects({ selections }: List): ListedProjects {
  const [first, ...others] = selections;
  if (first && others.length === 0) return first.scope;
  return selections.flatMap(({ scope }) => (scope === 'every project' ? [] : [scope.project]));
}
