import type { ListSearch } from './list-search';

/** What a form of filters gets. */
export interface FilterProps {
  /** The names of the filters that the list has. */
  readonly filters: readonly string[];
  /** How many regions the list can be filtered by. */
  readonly maxRegions?: number;
  readonly search: ListSearch;
  readonly onChange: (changed: ListSearch) => void;
}
