import * as v from 'valibot';
import { shownParam, textParam, viewParam, wordParam } from '../../app/search-params';
import { listSearchEntries } from '../../components/list-search';
import { deviceCollections } from '../../api/kinds';

export const VARIABLE_TABS = ['values', 'groups', 'assignments', 'definition'] as const;
export const GROUPS = ['region', 'cell', 'label'] as const;

/** The URL of the page of a variable: the tab, whether it has the form of a definition, the counted devices, and the part of the value. */
export const variableSearch = v.strictObject({
  ...listSearchEntries,
  tab: viewParam(VARIABLE_TABS),
  define: shownParam,
  collection: wordParam(deviceCollections),
  path: textParam,
  group_by: viewParam(GROUPS),
});

export type VariableSearch = v.InferOutput<typeof variableSearch>;
