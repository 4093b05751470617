import { Option } from 'commander';
import { toNumber } from '../../api/exact-json';
import type { MemberDescription, ResourceDescription } from '../../api/resource-description';
import { usageError } from '../../cli-error';
import {
  flagName,
  memberOptions,
  repeatable,
  type Lookup,
  type MemberOption,
  type OptionValues,
} from './member-flags';
import { didYouMean } from '../../text';
import { isUuid, type ResourceFinder } from '../../lookup/resource-finder';

/** The members that a create or update request sets. */
export type RequestBody = Record<string, unknown>;

/** The option `--clear`. */
export const clearOption = (): Option =>
  repeatable('--clear <member>', 'clear an optional member: note, parent …');

/**
 * Builds a request body from options.
 * @param resource the kind of the resource, which may have fewer members than the command has options
 * @param currentRegion the region of the resource, in which a cell is looked up unless another region is given
 */
export async function buildRequestBody(
  resource: ResourceDescription,
  memberOptionList: readonly MemberOption[],
  values: OptionValues,
  finder: Pick<ResourceFinder, 'find'>,
  currentRegion?: number,
): Promise<RequestBody> {
  const body: RequestBody = {};
  // The region comes first, because cells are looked up in it.
  const ordered = memberOptionList.toSorted(
    (a, b) => Number(isRegion(b.member)) - Number(isRegion(a.member)),
  );
  const find: Lookup = async (kind, text) => {
    if (kind !== 'cell' || !resource.isDevice) return finder.find(kind, text);
    const region = body['region_id'] ?? (namesRegion(text) ? undefined : currentRegion);
    const found = await finder.find(kind, text, typeof region === 'number' ? { region_id: region } : {});
    const cellRegion = toNumber(found.members['region_id']);
    // A cell determines the region.
    if (cellRegion !== currentRegion) body['region_id'] ??= cellRegion;
    return found;
  };
  for (const option of ordered) {
    const value = await option.value(values, find);
    if (value === undefined) continue;
    if (!hasMember(resource, option.member.name))
      throw usageError(`${option.options[0]?.long ?? ''} cannot be used with a ${resource.kind}.`);
    body[option.member.name] = value;
  }
  return body;
}

const isRegion = ({ refersTo }: MemberDescription): boolean => refersTo === 'region';

const hasMember = ({ create, update }: ResourceDescription, name: string): boolean =>
  [...create, ...update].some((member) => member.name === name);

/** `north/rack-a` and UUIDs identify a cell without a region. */
const namesRegion = (cell: string): boolean => cell.includes('/') || isUuid(cell);

/** @throws CliError if a required member is missing */
export function assertRequiredMembers({ create, nameMember }: ResourceDescription, body: RequestBody): void {
  const missing = create.filter(({ name, required }) => required && !(name in body) && name !== nameMember);
  if (missing.length === 0) return;
  const flags = memberOptions(missing, nameMember, 'create').map(({ options }) => options[0]?.flags ?? '');
  throw usageError(`Missing options: ${flags.join(', ')}.`);
}

/** Sets members to the empty value of their type. @throws CliError for a member that cannot be empty */
export function clearMembers(
  { update, kind }: ResourceDescription,
  names: readonly string[],
  body: RequestBody,
): void {
  for (const name of names) {
    const member = update.find((one) => memberNames(one).includes(name));
    const empty = member && emptyValue(member);
    if (!member || empty === undefined) {
      const clearable = update
        .filter((one) => emptyValue(one) !== undefined)
        .map((one) => memberNames(one)[0]);
      throw usageError(
        clearable.length === 0
          ? `A ${kind} has no member that can be cleared.`
          : `${JSON.stringify(name)} cannot be cleared.${didYouMean(name, clearable)} Members of a ${kind} that can: ${clearable.join(', ')}.`,
      );
    }
    if (member.name in body) throw usageError(`${name} is both set and cleared.`);
    body[member.name] = empty;
  }
}

/** The names under which a member can be cleared: those of its option and of the API. */
const memberNames = ({ name, refersTo }: MemberDescription): [string, string, string] => [
  refersTo === undefined ? name : name.replace(/_id$/, ''),
  name,
  flagName(name, refersTo !== undefined),
];

function emptyValue({ nullable, type }: MemberDescription): unknown {
  if (nullable) return null;
  return type === 'labels' || type === 'strings' ? [] : undefined;
}
