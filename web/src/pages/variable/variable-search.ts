import * as v from 'valibot';
import { booleanParam, textParam, wordParam } from '../../app/search-params';
import { listSearchEntries } from '../../components/list-search';
import { deviceCollections } from '../../api/kinds';

export const VARIABLE_TABS = ['values', 'groups', 'assignments', 'definition'] as const;
export const GROUPS = ['region', 'cell', 'label'] as const;

/** The URL of the page of a variable: the tab, whether it has the form of a definition, the counted devices, and the part of the value. */
export const variableSearch = v.object({
  ...listSearchEntries,
  tab: wordParam(VARIABLE_TABS),
  define: booleanParam,
  collection: wordParam(deviceCollections),
  path: textParam,
  group_by: wordParam(GROUPS),
});

export type VariableSearch = v.InferOutput<typeof variableSearch>;
