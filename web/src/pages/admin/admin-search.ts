import * as v from 'valibot';
import { integerParam, viewParam } from '../../app/search-params';

export const ADMIN_SECTIONS = ['users', 'settings', 'definitions', 'secrets', 'projects'] as const;

/** The URL of the administration: the section, and the user or definition whose details are shown. */
export const adminSearch = v.object({
  section: viewParam(ADMIN_SECTIONS),
  id: integerParam,
});
