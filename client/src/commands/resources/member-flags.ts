import { Option } from 'commander';
import { exactJson } from '../../api/exact-json';
import type { MemberDescription } from '../../api/resource-description';
import { resources } from '../../api/resources';
import { CliError, EXIT, usageError } from '../../cli-error';
import { joinLists } from '../shared-options';
import { parseAssignments } from '../vars/arguments';
import type { FoundResource } from '../../lookup/resource-finder';

/** The values of options, by commander's names for them. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** Finds the resource that an option refers to. */
export type Lookup = (kind: string, values: string) => Promise<FoundResource>;

/** A member of a resource, with the options that set it. */
export interface MemberOption {
  readonly member: MemberDescription;
  readonly options: readonly Option[];
  /** The value for the request body; undefined if no option is given. */
  value(values: OptionValues, find: Lookup): Promise<unknown>;
}

type CommandPurpose = 'create' | 'update';

/** The options for the members of a kind. @param nameMember the member whose option is `--name` */
export const memberOptions = (
  members: readonly MemberDescription[],
  nameMember: string | null,
  purpose: CommandPurpose,
): MemberOption[] => members.map((member) => buildOption(member, member.name === nameMember, purpose));

/** `--ip-address` for `ip_address`, `--admin` for `is_admin`, `--region` for the reference `region_id`. */
export const flagName = (name: string, isReference: boolean): string =>
  name
    .replace(/^is_/, '')
    .replace(isReference ? /_id$/ : /$^/, '')
    .replaceAll('_', '-');

/** A parser for commander: collects the values of a repeated option. */
const collect = (value: string, before: readonly string[] | undefined): string[] => [
  ...(before ?? []),
  value,
];

/** An option that may be repeated. */
export const repeatable = (flags: string, description: string): Option =>
  new Option(flags, `${description}; may be repeated`).argParser(collect);

function buildOption(member: MemberDescription, isName: boolean, purpose: CommandPurpose): MemberOption {
  if (isName) return textOption(member, 'name', 'the new name');
  if (member.refersTo !== undefined) return referenceOption(member, member.refersTo, purpose);
  if (member.type === 'labels') return labelsOption(member, purpose);
  if (member.name === 'variables') return variablesOption(member);
  if (member.type === 'boolean') return booleanOption(member);
  if (member.type === 'strings') return textsOption(member);
  const kind = resources.find(({ collection }) => collection === member.name);
  if (kind) return referencesOption(member, kind.kind);
  return member.type === 'string'
    ? textOption(member, flagName(member.name, false), helpText(member))
    : jsonOption(member);
}

/** The help of an option: the first clause of the API's description of the member. */
function helpText({ name, description, required, type }: MemberDescription): string {
  const text = description === '' ? fallbackText(name, type) : description;
  // The description of roles needs all its clauses.
  const clause = type === 'strings' ? text : text.replace(/([;:.]|, (which|neither)) .*$/s, '');
  return `${toHelpText(clause)}${required ? ' (required)' : ''}`;
}

function fallbackText(name: string, type: MemberDescription['type']): string {
  const words = name
    .replace(/^is_/, '')
    .replaceAll('_', ' ')
    .replace(/\bip\b/, 'IP');
  return type === 'boolean' ? `it is ${words}` : `the ${words}`;
}

/** A sentence of the API's description, in the style of help texts. */
export const toHelpText = (sentence: string): string =>
  sentence
    .replaceAll('`', '')
    .replace(/\.$/, '')
    .replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());

const singleValue = (
  member: MemberDescription,
  option: Option,
  read: (text: string, find: Lookup) => unknown,
): MemberOption => ({
  member,
  options: [option],
  value: async (values, find) => {
    const text = values[option.attributeName()];
    return typeof text === 'string' ? await read(text, find) : undefined;
  },
});

const repeatedValue = (
  member: MemberDescription,
  option: Option,
  read: (texts: string[], find: Lookup) => unknown,
): MemberOption => ({
  member,
  options: [option],
  value: async (values, find) => {
    const texts = repeatedTexts(values, option);
    return texts.length > 0 ? await read(texts, find) : undefined;
  },
});

/** The values of a repeated option. */
export function repeatedTexts(values: OptionValues, option: Option): string[] {
  const texts = values[option.attributeName()];
  return Array.isArray(texts) ? texts.map(String) : [];
}

const textOption = (member: MemberDescription, flag: string, description: string): MemberOption =>
  singleValue(member, new Option(`--${flag} <text>`, description), (text) => text);

function referenceOption(member: MemberDescription, kind: string, purpose: CommandPurpose): MemberOption {
  const flag = flagName(member.name, true);
  const option = new Option(
    `--${flag} <${kind}>`,
    `${helpText(member)}: ${kind === 'access-secret' ? 'an id or UUID' : 'a name, id or UUID'}${kind === 'cell' ? ', or REGION/CELL' : ''}`,
  );
  return singleValue(member, option, async (text, find) => {
    try {
      return Number((await find(kind, text)).id);
    } catch (error) {
      const isNothing = member.nullable && purpose === 'update' && /^(?:null|none|)$/.test(text);
      if (!(isNothing && error instanceof CliError && error.exitCode === EXIT.notFound)) throw error;
      throw new CliError(error.message, error.exitCode, [`  To have none, use --clear ${flag}.`]);
    }
  });
}

const referencesOption = (member: MemberDescription, kind: string): MemberOption =>
  repeatedValue(member, repeatable(`--${kind} <${kind}>`, helpText(member)), (texts, find) =>
    Promise.all(texts.map(async (text) => Number((await find(kind, text)).id))),
  );

function labelsOption(member: MemberDescription, purpose: CommandPurpose): MemberOption {
  const whole = new Option('--labels <names>', 'all labels, a comma-separated list').argParser(joinLists);
  const one = repeatable('--label <label>', 'a label');
  return {
    member,
    options: purpose === 'create' ? [whole, one] : [whole],
    value: (values) => {
      const set = values[whole.attributeName()];
      const more = purpose === 'create' ? repeatedTexts(values, one) : [];
      if (typeof set !== 'string' && more.length === 0) return Promise.resolve(undefined);
      return Promise.resolve([...new Set([...parseLabels(typeof set === 'string' ? set : ''), ...more])]);
    },
  };
}

/** The names in a comma-separated list of labels. */
export const parseLabels = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const variablesOption = (member: MemberDescription): MemberOption =>
  repeatedValue(
    member,
    repeatable(
      '--set <assignment>',
      'a variable: key=text with a literal text, or key:=json with a JSON value',
    ),
    parseAssignments,
  );

function booleanOption(member: MemberDescription): MemberOption {
  const flag = flagName(member.name, false);
  const yes = new Option(`--${flag}`, helpText(member));
  const no = new Option(`--no-${flag}`, `it is not ${flag}`);
  return { member, options: [yes, no], value: (values) => Promise.resolve(values[yes.attributeName()]) };
}

const textsOption = (member: MemberDescription): MemberOption =>
  repeatedValue(
    member,
    repeatable(`--${flagName(member.name, false).replace(/s$/, '')} <text>`, helpText(member)),
    (texts) => texts,
  );

/** An option whose value is JSON, or an integer. */
function jsonOption(member: MemberDescription): MemberOption {
  const flag = flagName(member.name, false);
  const placeholder = member.type === 'integer' ? 'number' : 'json';
  const option = new Option(`--${flag} <${placeholder}>`, helpText(member));
  return singleValue(member, option, (text) => {
    if (member.type === 'integer' && !/^-?\d+$/.test(text))
      throw usageError(`Invalid --${flag} ${JSON.stringify(text)}: expected an integer.`);
    try {
      return exactJson.parse(text);
    } catch (error) {
      if (error instanceof SyntaxError)
        throw usageError(
          `Invalid --${flag} ${JSON.stringify(text)}: expected JSON. A string needs double quotes.`,
        );
      throw error;
    }
  });
}
