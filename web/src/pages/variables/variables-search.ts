import * as v from 'valibot';
import { textParam } from '../../app/search-params';

/** The URL of the list of variables. */
export const variablesSearch = v.strictObject({
  /** The beginning of the key. */
  key: textParam,
});
