import * as v from 'valibot';
import { idOrNoneParam, integerParam } from '../../app/search-params';

/** The URL of an audit: the part of the fleet whose failing devices are shown. */
export const auditSearch = v.object({
  region_id: integerParam,
  cell_id: idOrNoneParam,
});
