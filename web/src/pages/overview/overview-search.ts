import * as v from 'valibot';
import { textParam } from '../../app/search-params';

/** The URL of the overview: the pinned variable that the map shows. */
export const overviewSearch = v.object({ pinned: v.fallback(textParam, undefined) });
