import * as v from 'valibot';
import { textParam, timeParam, wordParam } from '../../app/search-params';

export const DEVICE_TABS = ['variables', 'children', 'history', 'raw'] as const;

/** The URL of a device's page: the tab, the filter of its variables, and the point in time. */
export const deviceSearch = v.object({
  tab: wordParam(DEVICE_TABS),
  key: textParam,
  at: timeParam,
});
