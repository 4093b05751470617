import { Option, type Command } from 'commander';
import type { FilterDescription, ResourceDescription } from '../../api/resource-description';
import { usageError } from '../../cli-error';
import { assertConditions } from '../unquoted-condition';
import { flagName, repeatable, repeatedTexts, toHelpText, type OptionValues } from './member-flags';
import type { LookupScope, ResourceFinder } from '../../lookup/resource-finder';

/** A filter of a list, with its option. */
export interface FilterOption {
  readonly filter: FilterDescription;
  readonly option: Option;
}

/** The help of filters whose description is too long, or has too little for people who have only the help. */
const HELP: Readonly<Record<string, string>> = {
  where: [
    'a condition on resolved variables:',
    `'kernel = "6.8"' (or !=), 'kernel < "6.12"' (or <=, >, >=), 'serial ^= "MX7"' (begins with),`,
    `'notes ~= "gpu"' (contains), 'rack.row in [3, 4]', 'backup_server exists' (or missing); all must hold`,
  ].join(' '),
};

/** The value of a filter for resources without a value. */
const NULL_VALUE = 'null';

/** Filters as query parameters. */
type FilterQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The filter options of a kind. */
export const filterOptions = ({ filters, nameMember, create }: ResourceDescription): FilterOption[] =>
  filters
    .filter(({ name }) => !isDuplicate(name, nameMember, filters))
    .map((filter) => ({
      filter,
      option: buildOption(
        filter,
        filter.name === nameMember ? 'name' : flagName(filter.name, filter.refersTo !== undefined),
        create.some(({ name }) => name === filter.name),
      ),
    }));

/** The API has the filter `label` of labels and `username` of users also as `name`. */
const isDuplicate = (
  name: string,
  nameMember: string | null,
  filters: readonly FilterDescription[],
): boolean => name !== 'name' && name === nameMember && filters.some((one) => one.name === 'name');

/** Whether a boolean filter asks what resources are: then it takes both values. Others are switches, such as `descendants`. */
const takesBoth = (name: string, isMember: boolean): boolean => isMember || name.startsWith('has_');

/** @param isMember whether resources have a member of this name */
function buildOption(filter: FilterDescription, flag: string, isMember: boolean): Option {
  const { type, refersTo } = filter;
  const description = HELP[filter.name] ?? toHelpText(filter.description.replace(/\. (?=[A-Z]).*$/s, ''));
  if (type === 'boolean')
    return takesBoth(filter.name, isMember)
      ? new Option(`--${flag} <boolean>`, description).choices(['true', 'false'])
      : new Option(`--${flag}`, description);
  if (refersTo !== undefined) {
    const names = filter.nullable ? `a name, id or UUID, or ${NULL_VALUE}` : 'a name, id or UUID';
    const flags = `--${flag} <${refersTo}>`;
    return isRepeatable(filter)
      ? repeatable(flags, `${description}: ${names}`)
      : new Option(flags, `${description}: ${names}`);
  }
  if (isRepeatable(filter)) return repeatable(`--${flag} <${flag}>`, description);
  return new Option(`--${flag} <${flag}>`, description);
}

/** Repeated `vars` filters are combined. */
const isRepeatable = ({ repeatable: several, name }: FilterDescription): boolean =>
  several === true || name === 'vars';

/** Adds the options to a command. */
export function addFilters(command: Command, filters: readonly FilterOption[]): Command {
  for (const { option } of filters) command.addOption(option);
  return command;
}

/** The query parameters for the given options. References are looked up: a cell in the given region. */
export async function filterQuery(
  filters: readonly FilterOption[],
  values: OptionValues,
  finder: ResourceFinder,
): Promise<FilterQuery> {
  const query: Record<string, string | readonly string[] | undefined> = {};
  const ordered = filters.toSorted((a, b) => Number(isRegion(b)) - Number(isRegion(a)));
  for (const { filter, option } of ordered) {
    if (isRepeatable(filter)) {
      const texts = repeatedTexts(values, option);
      if (texts.includes('')) throw usageError(`${option.long ?? ''} must not be empty.`);
      if (filter.name === 'where') assertConditions(texts);
      if (texts.length > 0) query[filter.name] = await valuesOf(filter, texts);
      continue;
    }
    const value = values[option.attributeName()];
    if (value === true) query[filter.name] = 'true';
    if (typeof value !== 'string') continue;
    // An empty parameter would mean no filter, or match nothing, depending on the filter.
    if (value === '') throw usageError(`${option.long ?? ''} must not be empty.`);
    query[filter.name] = filter.refersTo === undefined ? value : await idOf(filter.refersTo, value);
  }
  return query;

  async function valuesOf({ refersTo, nullable }: FilterDescription, texts: readonly string[]) {
    if (refersTo === undefined) return texts;
    const ids = [];
    for (const text of texts)
      ids.push(nullable && text === NULL_VALUE ? NULL_VALUE : await idOf(refersTo, text));
    return ids;
  }

  async function idOf(kind: string, text: string): Promise<string> {
    const [region, ...others] = [query['region_id'] ?? []].flat();
    const scope = kind === 'cell' && region !== undefined && others.length === 0 ? { region_id: region } : {};
    return (await finder.find(kind, text, scope)).id;
  }
}

const isRegion = ({ filter }: FilterOption): boolean => filter.refersTo === 'region';

/** Options that limit where a resource is looked up. */
export interface ScopeOptions {
  readonly region?: string;
  readonly cell?: string;
}

/** Adds options for names that are not unique. */
export function addScopeOptions(command: Command, { fields }: ResourceDescription): Command {
  if (fields.includes('region_id'))
    command.option('--region <region>', 'the region of the resource, if its name is not unique');
  if (fields.includes('cell_id'))
    command.option('--cell <cell>', 'the cell of the resource, if its name is not unique');
  return command;
}

/** The filters for these options. */
export async function lookupScope(
  { fields }: ResourceDescription,
  { region, cell }: ScopeOptions,
  finder: ResourceFinder,
): Promise<LookupScope> {
  const scope: Record<string, string> = {};
  if (region !== undefined && fields.includes('region_id'))
    scope['region_id'] = (await finder.find('region', region)).id;
  if (cell !== undefined && fields.includes('cell_id'))
    scope['cell_id'] = (await finder.find('cell', cell, scope)).id;
  return scope;
}
