import * as v from 'valibot';
import { idsParam, shownParam, textParam, timeParam, viewParam } from '../../app/search-params';
import { listSearchEntries } from '../../components/list-search';

/** How many regions the list of cells can be filtered by. */
export const MAX_REGIONS = 1;

/** The URL of a list of regions, cells, labels or clouds. */
export const inventoryListSearch = v.strictObject({
  ...listSearchEntries,
  region_id: idsParam(MAX_REGIONS),
  /** Whether the form for a new one is open. */
  create: shownParam,
});

export const INVENTORY_TABS = ['variables', 'effect', 'history', 'raw'] as const;

/** The URL of the page of one of them: the tab, the filter of its variables, whether one is being added, and the point in time. */
export const inventorySearch = v.strictObject({
  tab: viewParam(INVENTORY_TABS),
  key: textParam,
  add: shownParam,
  at: timeParam,
});
