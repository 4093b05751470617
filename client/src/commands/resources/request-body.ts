import { Option } from 'commander';
import type { MemberDescription, ResourceDescription } from '../../api/resource-description';
import { isUuid, type Finder } from '../../lookup/resource-finder';
import { usage } from '../../cli-error';
import { plainNumber } from '../../api/exact-json';
import {
  flagOf,
  memberOptions,
  repeatable,
  type GivenOptions,
  type Lookup,
  type MemberOption,
} from './member-flags';

/** The members that a request sets. */
export type RequestBody = Record<string, unknown>;

/** `--clear note` */
export const clearing = (): Option =>
  repeatable('--clear <member>', 'empties a member that may be empty: note, parent …');

/**
 * What options say of a resource, as a request's body.
 * @param resource the kind that it is of, which may have fewer members than there were options
 * @param standing the region that it is in: a cell is one of it, unless an option says another
 */
export async function requestBody(
  resource: ResourceDescription,
  all: readonly MemberOption[],
  given: GivenOptions,
  finder: Finder,
  standing?: number,
): Promise<RequestBody> {
  const body: RequestBody = {};
  // A region comes first: a cell is one of it.
  const ordered = all.toSorted((a, b) => Number(isRegion(b.member)) - Number(isRegion(a.member)));
  const find: Lookup = async (kind, text) => {
    if (kind !== 'cell' || !resource.isDevice) return finder.find(kind, text);
    const region = body['region_id'] ?? (tellsItsRegion(text) ? undefined : standing);
    const found = await finder.find(kind, text, typeof region === 'number' ? { region_id: region } : {});
    const itsRegion = plainNumber(found.members['region_id']);
    // Whoever says the cell need not say the region.
    if (itsRegion !== standing) body['region_id'] ??= itsRegion;
    return found;
  };
  for (const option of ordered) {
    const value = await option.value(given, find);
    if (value === undefined) continue;
    if (!hasMember(resource, option.member.name))
      throw usage(`${option.options[0]?.long ?? ''} is not for a ${resource.kind}.`);
    body[option.member.name] = value;
  }
  return body;
}

const isRegion = ({ refersTo }: MemberDescription): boolean => refersTo === 'region';

const hasMember = ({ create, update }: ResourceDescription, name: string): boolean =>
  [...create, ...update].some((member) => member.name === name);

/** `north/rack-a`, and a UUID, are of one cell in one region. */
const tellsItsRegion = (cell: string): boolean => cell.includes('/') || isUuid(cell);

/** @throws Failure where the body does not have what the kind asks for */
export function demandRequired({ create, nameMember }: ResourceDescription, body: RequestBody): void {
  const missing = create.filter(({ name, required }) => required && !(name in body) && name !== nameMember);
  if (missing.length === 0) return;
  const flags = memberOptions(missing, nameMember, 'create').map(({ options }) => options[0]?.flags ?? '');
  throw usage(`Missing: ${flags.join(', ')}.`);
}

/** Sets the members to be cleared to what is empty of their type. @throws Failure for one that cannot be empty */
export function clearMembers(
  { update, kind }: ResourceDescription,
  names: readonly string[],
  body: RequestBody,
): void {
  for (const name of names) {
    const member = update.find((one) => namesOf(one).includes(name));
    const empty = member && emptyOf(member);
    if (!member || empty === undefined) {
      const clearable = update.filter((one) => emptyOf(one) !== undefined).map((one) => namesOf(one)[0]);
      throw usage(
        clearable.length === 0
          ? `A ${kind} has nothing that can be cleared.`
          : `${JSON.stringify(name)} cannot be cleared. Of a ${kind} can be: ${clearable.join(', ')}.`,
      );
    }
    if (member.name in body) throw usage(`${name} is both set and cleared.`);
    body[member.name] = empty;
  }
}

/** A member as its option has it, and as the API has it. */
const namesOf = ({ name, refersTo }: MemberDescription): [string, string, string] => [
  refersTo === undefined ? name : name.replace(/_id$/, ''),
  name,
  flagOf(name, refersTo !== undefined),
];

function emptyOf({ nullable, type }: MemberDescription): unknown {
  if (nullable) return null;
  return type === 'labels' || type === 'strings' ? [] : undefined;
}
