import * as v from 'valibot';
import { viewParam } from '../../app/search-params';

export const CHANGE_TABS = ['resources', 'devices'] as const;

/** The URL of the page of a change. */
export const changeSearch = v.object({ tab: viewParam(CHANGE_TABS) });
