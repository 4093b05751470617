import * as v from 'valibot';
import { booleanParam, textParam, timeParam, wordParam } from '../../app/search-params';
import { listSearchEntries } from '../../components/list-search';

/** The URL of a list of regions, cells, labels or clouds. */
export const inventoryListSearch = v.object(listSearchEntries);

export const INVENTORY_TABS = ['variables', 'effect', 'history', 'raw'] as const;

/** The URL of the page of one of them: the tab, the filter of its variables, whether one is being added, and the point in time. */
export const inventorySearch = v.object({
  tab: wordParam(INVENTORY_TABS),
  key: textParam,
  add: booleanParam,
  at: timeParam,
});
