import * as v from 'valibot';
import { idOrNoneParam, integerParam } from '../../app/search-params';

/** The URL of the list of audits, which has no filters. */
export const auditsSearch = v.strictObject({});

/** The URL of an audit: the part of the fleet whose failing devices are shown. */
export const auditSearch = v.strictObject({
  region_id: integerParam,
  cell_id: idOrNoneParam,
});
