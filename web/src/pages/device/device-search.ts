import * as v from 'valibot';
import { booleanParam, textParam, timeParam, wordParam } from '../../app/search-params';

export const DEVICE_TABS = ['variables', 'children', 'history', 'raw'] as const;

/** The URL of a device's page: the tab, the filter of its variables, whether one is being added, and the point in time. */
export const deviceSearch = v.object({
  tab: wordParam(DEVICE_TABS),
  key: textParam,
  add: booleanParam,
  at: timeParam,
});
