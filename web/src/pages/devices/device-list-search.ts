import * as v from 'valibot';
import { shownParam, wordParam } from '../../app/search-params';
import { listSearchEntries } from '../../components/list-search';
import { deviceCollections } from '../../api/kinds';

/** The URL of the list of devices. */
export const deviceListSearch = v.strictObject({
  collection: wordParam(deviceCollections),
  /** Whether the tree of locations stands beside the list. */
  tree: shownParam,
  /** Whether the form for a new one is open. */
  create: shownParam,
  ...listSearchEntries,
});
