import * as v from 'valibot';
import { wordParam } from '../../app/search-params';

export const CHANGE_TABS = ['resources', 'devices'] as const;

/** The URL of the page of a change. */
export const changeSearch = v.object({ tab: wordParam(CHANGE_TABS) });
