import * as v from 'valibot';
import { textParam, timeParam } from '../../app/search-params';

/** The URL of the comparison of two moments: the moments, the variable, and the group whose devices are shown. */
export const betweenSearch = v.object({
  since: timeParam,
  until: timeParam,
  key: textParam,
  group: textParam,
});
