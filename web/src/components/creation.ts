import { expandRanges, InvalidRangeError } from '@muster/api-types';
import type { CreateMember } from '@muster/api-types/create-members';
import { jsonText, parseJson } from '../api/exact-json';
import type { FieldProblem } from './form-problems';
import { isObject } from './is-object';
import { isName, type Values } from './member-description';
import { flagsOf } from './member-flags';

/** New resources of one kind, as a form describes them. */
export interface Creation {
  readonly names: readonly string[];
  /** The members of each. */
  readonly bodies: readonly Values[];
  /** The words of the `muster` command after `muster <kind> create`. */
  readonly words: readonly string[];
}

/** What is wrong with a field of a form. */
class FieldError extends Error {
  override readonly name = 'FieldError';

  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

const VARIABLES = 'variables';

/**
 * The resources that the fields of a form describe: several, if the name contains a range such as `{1..12}`, as with the
 * `muster` command.
 * @param values by member; those of members with any JSON value are JSON texts
 * @returns what is wrong, if something is
 */
export function creationOf(members: readonly CreateMember[], values: Values): Creation | FieldProblem {
  const nameMember = members.find(({ name }) => isName(name))?.name ?? 'name';
  const given = members.filter(({ name }) => name !== nameMember && isGiven(values[name]));
  const others = Object.fromEntries(given.map(({ name }) => [name, trimmed(values[name])]));
  const name = trimmed(values[nameMember]);
  if (typeof name !== 'string' || name === '') return { field: nameMember, message: 'Enter a name.' };
  const parse = (texts: Values): Values =>
    Object.fromEntries(given.map((member) => [member.name, valueOf(member, texts[member.name])]));
  try {
    const items = expandRanges(name, others) ?? [{ name, members: others }];
    return {
      names: items.map((item) => item.name),
      bodies: items.map((item) => ({ [nameMember]: item.name, ...parse(item.members) })),
      words: [name, ...Object.entries(parse(others)).flatMap(optionsOf)],
    };
  } catch (error) {
    if (error instanceof FieldError) return { field: error.field, message: error.message };
    if (error instanceof InvalidRangeError) return { field: nameMember, message: error.message };
    throw error;
  }
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/** @throws FieldError for a text that is not the JSON that the member needs */
function valueOf({ name, type }: CreateMember, value: unknown): unknown {
  if (type !== 'json' || typeof value !== 'string') return value;
  const parsed = parsedOrUndefined(value);
  if (parsed === undefined) throw new FieldError(name, 'This is not valid JSON.');
  if (name === VARIABLES && !isObject(parsed))
    throw new FieldError(name, 'Enter an object, such as {"rack_unit": 12}.');
  return parsed;
}

function parsedOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const optionsOf = ([name, value]: [string, unknown]): string[] =>
  name === VARIABLES && isObject(value)
    ? Object.entries(value).flatMap(([key, one]) => ['--set', `${key}:=${jsonText(one)}`])
    : flagsOf([name, value]);

/** `z-1, z-2 … z-12`: the names of a range in short. */
export function namesText(names: readonly string[]): string {
  const [first = '', second = '', ...others] = names;
  const last = others.at(-1);
  if (last === undefined) return names.join(', ');
  return others.length === 1 ? `${first}, ${second}, ${last}` : `${first}, ${second} … ${last}`;
}
