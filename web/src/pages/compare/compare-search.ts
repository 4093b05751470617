import { collections } from './compared';
import * as v from 'valibot';
import { integerParam, shownParam, textParam, timeParam, wordParam } from '../../app/search-params';

/**
 * The URL of a comparison: two resources of a collection, each now or at a moment; whether equal values are shown, too; and a
 * filter by key.
 */
export const compareSearch = v.strictObject({
  collection: wordParam(collections),
  left: integerParam,
  right: integerParam,
  left_at: timeParam,
  right_at: timeParam,
  all: shownParam,
  key: textParam,
});
