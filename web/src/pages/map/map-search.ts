import * as v from 'valibot';
import { deviceCollections } from '../../api/kinds';
import { integerParam, shownParam, textParam, viewParam, wordParam } from '../../app/search-params';

/** The URL of the fleet map: the devices, and what gives tiles their colours. */
export const mapSearch = v.strictObject({
  collection: wordParam(deviceCollections),
  region: integerParam,
  key: textParam,
  show: viewParam(['disagreement']),
  audit: integerParam,
  table: shownParam,
});

export type MapSearch = v.InferOutput<typeof mapSearch>;
