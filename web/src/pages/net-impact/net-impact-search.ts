import * as v from 'valibot';
import { textParam, timeParam } from '../../app/search-params';

/** The URL of the net impact of a period: its two moments, and the variable. */
export const netImpactSearch = v.strictObject({
  since: timeParam,
  until: timeParam,
  key: textParam,
  group: textParam,
});
