import * as v from 'valibot';
import { shownParam, textParam, timeParam, viewParam } from '../../app/search-params';

export const DEVICE_TABS = ['variables', 'timeline', 'children', 'history', 'raw'] as const;

/** The ways in which its hierarchy is shown; the first is the default. */
export const HIERARCHY_VIEWS = ['graph', 'tree'] as const;

/**
 * The URL of a device's page: the tab and the view of its hierarchy, the filter of its variables, whether one is being added,
 * the variable of the timeline, and the point in time.
 */
export const deviceSearch = v.strictObject({
  tab: viewParam(DEVICE_TABS),
  view: viewParam(HIERARCHY_VIEWS),
  key: textParam,
  add: shownParam,
  variable: textParam,
  at: timeParam,
});
