import { Option } from 'commander';
import { resources } from '../../api/resources';
import type { MemberDescription } from '../../api/resource-description';
import type { Found } from '../../lookup/resource-finder';
import { usage } from '../../cli-error';
import { exactJson } from '../../api/exact-json';
import { parseAssignments } from '../vars/assignments';

/** What options were given, by commander's names for them. */
export type GivenOptions = Readonly<Record<string, unknown>>;

/** Finds what an option refers to. */
export type Lookup = (kind: string, given: string) => Promise<Found>;

/** The options that set a member of a resource. */
export interface MemberOption {
  readonly member: MemberDescription;
  readonly options: readonly Option[];
  /** What they say, as a request's body has it; undefined if they say nothing. */
  value(given: GivenOptions, find: Lookup): Promise<unknown>;
}

/** Whether the options are to make a resource or to change one. */
type Purpose = 'create' | 'update';

/** The options for the members of a kind. @param nameMember its option is `--name`, whatever it is called */
export const memberOptions = (
  members: readonly MemberDescription[],
  nameMember: string | null,
  purpose: Purpose,
): MemberOption[] => members.map((member) => optionOf(member, member.name === nameMember, purpose));

/** `ip_address` is `--ip-address`, `is_admin` is `--admin`, and `region_id` is `--region`. */
export const flagOf = (name: string, refers: boolean): string =>
  name
    .replace(/^is_/, '')
    .replace(refers ? /_id$/ : /$^/, '')
    .replaceAll('_', '-');

/** For commander: values of an option that may come several times. */
const collected = (value: string, before: readonly string[] | undefined): string[] => [
  ...(before ?? []),
  value,
];

export const repeatable = (flags: string, description: string): Option =>
  new Option(flags, `${description}; may be repeated`).argParser(collected);

function optionOf(member: MemberDescription, isName: boolean, purpose: Purpose): MemberOption {
  if (isName) return ofText(member, 'name', 'another name');
  if (member.refersTo !== undefined) return ofReference(member, member.refersTo);
  if (member.type === 'labels') return ofLabels(member, purpose);
  if (member.name === 'variables') return ofVariables(member);
  if (member.type === 'boolean') return ofBoolean(member);
  if (member.type === 'strings') return ofTexts(member);
  const kind = resources.find(({ collection }) => collection === member.name);
  if (kind) return ofReferences(member, kind.kind);
  return member.type === 'string' ? ofText(member, flagOf(member.name, false), told(member)) : ofJson(member);
}

/** What the API says of a member, as a line of help: its first clause. */
function told({ name, description, required, type }: MemberDescription): string {
  const text = description === '' ? inWords(name, type) : description;
  // The forms of roles are told in several clauses.
  const clause = type === 'strings' ? text : text.replace(/([;:.]|, (which|neither)) .*$/s, '');
  return `${asHelp(clause)}${required ? ' (required)' : ''}`;
}

function inWords(name: string, type: MemberDescription['type']): string {
  const words = name
    .replace(/^is_/, '')
    .replaceAll('_', ' ')
    .replace(/\bip\b/, 'IP');
  return type === 'boolean' ? `it is ${words}` : `the ${words}`;
}

/** A sentence of the API's description as help has it. */
export const asHelp = (sentence: string): string =>
  sentence
    .replaceAll('`', '')
    .replace(/\.$/, '')
    .replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());

const single = (
  member: MemberDescription,
  option: Option,
  read: (text: string, find: Lookup) => unknown,
): MemberOption => ({
  member,
  options: [option],
  value: async (given, find) => {
    const text = given[option.attributeName()];
    return typeof text === 'string' ? await read(text, find) : undefined;
  },
});

const several = (
  member: MemberDescription,
  option: Option,
  read: (texts: string[], find: Lookup) => unknown,
): MemberOption => ({
  member,
  options: [option],
  value: async (given, find) => {
    const texts = textsOf(given, option);
    return texts.length > 0 ? await read(texts, find) : undefined;
  },
});

/** What an option that may come several times was given. */
export function textsOf(given: GivenOptions, option: Option): string[] {
  const texts = given[option.attributeName()];
  return Array.isArray(texts) ? texts.map(String) : [];
}

const ofText = (member: MemberDescription, flag: string, description: string): MemberOption =>
  single(member, new Option(`--${flag} <text>`, description), (text) => text);

function ofReference(member: MemberDescription, kind: string): MemberOption {
  const flag = flagOf(member.name, true);
  const option = new Option(
    `--${flag} <${kind}>`,
    `${told(member)}: by its ${kind === 'access-secret' ? 'id or UUID' : 'name, id or UUID'}${kind === 'cell' ? ', or as REGION/CELL' : ''}`,
  );
  return single(member, option, async (text, find) => Number((await find(kind, text)).id));
}

const ofReferences = (member: MemberDescription, kind: string): MemberOption =>
  several(member, repeatable(`--${kind} <${kind}>`, told(member)), (texts, find) =>
    Promise.all(texts.map(async (text) => Number((await find(kind, text)).id))),
  );

function ofLabels(member: MemberDescription, purpose: Purpose): MemberOption {
  const whole = new Option('--labels <names>', 'the whole set of labels, joined by commas');
  const one = repeatable('--label <label>', 'a label');
  return {
    member,
    options: purpose === 'create' ? [whole, one] : [whole],
    value: (given) => {
      const set = given[whole.attributeName()];
      const more = purpose === 'create' ? textsOf(given, one) : [];
      if (typeof set !== 'string' && more.length === 0) return Promise.resolve(undefined);
      return Promise.resolve([...new Set([...labelsOf(typeof set === 'string' ? set : ''), ...more])]);
    },
  };
}

/** The names that a text of labels holds. */
export const labelsOf = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const ofVariables = (member: MemberDescription): MemberOption =>
  several(
    member,
    repeatable('--set <assignment>', 'a variable: key=value with JSON, or key:=text with the text as it is'),
    parseAssignments,
  );

function ofBoolean(member: MemberDescription): MemberOption {
  const flag = flagOf(member.name, false);
  const yes = new Option(`--${flag}`, told(member));
  const no = new Option(`--no-${flag}`, `it is not ${flag}`);
  return {
    member,
    options: [yes, no],
    value: (given) => Promise.resolve(given[yes.attributeName()]),
  };
}

const ofTexts = (member: MemberDescription): MemberOption =>
  several(
    member,
    repeatable(`--${flagOf(member.name, false).replace(/s$/, '')} <text>`, told(member)),
    (texts) => texts,
  );

/** Whatever JSON there is: an integer, or anything. */
function ofJson(member: MemberDescription): MemberOption {
  const flag = flagOf(member.name, false);
  const placeholder = member.type === 'integer' ? 'number' : 'json';
  const option = new Option(`--${flag} <${placeholder}>`, told(member));
  return single(member, option, (text) => {
    if (member.type === 'integer' && !/^-?\d+$/.test(text))
      throw usage(`--${flag} takes an integer, and ${JSON.stringify(text)} is none.`);
    try {
      return exactJson.parse(text);
    } catch (error) {
      if (error instanceof SyntaxError)
        throw usage(`--${flag} takes JSON, and ${JSON.stringify(text)} is none: a text wants double quotes.`);
      throw error;
    }
  });
}
