import * as v from 'valibot';
import { booleanParam, integerParam, listParam, textParam, wordParam } from '../../app/search-params';
import { deviceCollections } from '../../components/resource-link';

export const VARIABLE_TABS = ['values', 'groups', 'settings', 'definition'] as const;
export const GROUPS = ['region', 'cell', 'label'] as const;

/** The URL of the page of a variable: the tab, the counted devices, and the part of the value. */
export const variableSearch = v.object({
  tab: wordParam(VARIABLE_TABS),
  collection: wordParam(deviceCollections),
  region_id: integerParam,
  cell_id: integerParam,
  label: listParam,
  active: booleanParam,
  vars: textParam,
  path: textParam,
  group_by: wordParam(GROUPS),
});

export type VariableSearch = v.InferOutput<typeof variableSearch>;
