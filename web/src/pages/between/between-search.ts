import * as v from 'valibot';
import { textParam, timeParam } from '../../app/search-params';

/** The URL of the comparison of two moments: the moments, and the variable. */
export const betweenSearch = v.object({ since: timeParam, until: timeParam, key: textParam });
