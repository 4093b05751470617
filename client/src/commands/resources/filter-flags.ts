import { type Command, Option } from 'commander';
import type { FilterDescription, ResourceDescription } from '../../api/resource-description';
import type { Finder, Within } from '../../lookup/resource-finder';
import { usage } from '../../cli-error';
import { asHelp, flagOf, repeatable, textsOf, type GivenOptions } from './member-flags';

/** A filter of a list, and its option. */
export interface FilterOption {
  readonly filter: FilterDescription;
  readonly option: Option;
}

/** What filters have been given, as query parameters. */
type FilterQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The options that narrow a list of a kind. */
export const filterOptions = ({ filters, nameMember, create }: ResourceDescription): FilterOption[] =>
  filters
    .filter(({ name }) => !isTwiceThere(name, nameMember, filters))
    .map((filter) => ({
      filter,
      option: optionOf(
        filter,
        filter.name === nameMember ? 'name' : flagOf(filter.name, filter.refersTo !== undefined),
        create.some(({ name }) => name === filter.name),
      ),
    }));

/** `label` of labels, and `username` of users, are filters under the name `name`, too. */
const isTwiceThere = (
  name: string,
  nameMember: string | null,
  filters: readonly FilterDescription[],
): boolean => name !== 'name' && name === nameMember && filters.some((one) => one.name === 'name');

/** @param isMember whether resources have it: then it can be asked for both ways */
function optionOf(filter: FilterDescription, flag: string, isMember: boolean): Option {
  const { type, refersTo } = filter;
  const told = asHelp(filter.description.replace(/\. (?=[A-Z]).*$/s, ''));
  if (type === 'boolean')
    return isMember
      ? new Option(`--${flag} <boolean>`, told).choices(['true', 'false'])
      : new Option(`--${flag}`, told);
  if (refersTo !== undefined)
    return new Option(`--${flag} <${refersTo}>`, `${told}: by its name, id or UUID`);
  if (isRepeatable(filter)) return repeatable(`--${flag} <${flag}>`, told);
  return new Option(`--${flag} <${flag}>`, told);
}

/** Several `vars` are all to hold, as if they were one. */
const isRepeatable = ({ repeatable: several, name }: FilterDescription): boolean =>
  several === true || name === 'vars';

/** Adds the options to a command. */
export function addFilters(command: Command, filters: readonly FilterOption[]): Command {
  for (const { option } of filters) command.addOption(option);
  return command;
}

/** What the given options ask for. Whatever is named is looked up: a cell in the region that is given with it. */
export async function filterQuery(
  filters: readonly FilterOption[],
  given: GivenOptions,
  finder: Finder,
): Promise<FilterQuery> {
  const query: Record<string, string | readonly string[] | undefined> = {};
  const ordered = filters.toSorted((a, b) => Number(isRegion(b)) - Number(isRegion(a)));
  for (const { filter, option } of ordered) {
    if (isRepeatable(filter)) {
      const texts = textsOf(given, option);
      if (texts.length > 0) query[filter.name] = texts;
      continue;
    }
    const value = given[option.attributeName()];
    if (value === true) query[filter.name] = 'true';
    if (typeof value !== 'string') continue;
    // An empty parameter would be no condition to some, and matched by nothing to others.
    if (value === '') throw usage(`${option.long ?? ''} is empty.`);
    query[filter.name] = filter.refersTo === undefined ? value : await idOf(filter.refersTo, value);
  }
  return query;

  async function idOf(kind: string, text: string): Promise<string> {
    const region = query['region_id'];
    const within = kind === 'cell' && typeof region === 'string' ? { region_id: region } : {};
    return (await finder.find(kind, text, within)).id;
  }
}

const isRegion = ({ filter }: FilterOption): boolean => filter.refersTo === 'region';

/** Where a resource is looked for. */
export interface PlaceOptions {
  readonly region?: string;
  readonly cell?: string;
}

/** The options that say where one is meant, of a name that several have. */
export function addNarrowing(command: Command, { fields }: ResourceDescription): Command {
  if (fields.includes('region_id')) command.option('--region <region>', 'the one in this region');
  if (fields.includes('cell_id')) command.option('--cell <cell>', 'the one in this cell');
  return command;
}

/** The same, as conditions for where to look. */
export async function narrowed(
  { fields }: ResourceDescription,
  { region, cell }: PlaceOptions,
  finder: Finder,
): Promise<Within> {
  const place: Record<string, string> = {};
  if (region !== undefined && fields.includes('region_id'))
    place['region_id'] = (await finder.find('region', region)).id;
  if (cell !== undefined && fields.includes('cell_id'))
    place['cell_id'] = (await finder.find('cell', cell, place)).id;
  return place;
}
