import { shellWord } from '@muster/api-types';
import type { Command, CommanderError, Option } from 'commander';
import { resources } from '../api/resources';
import { quotedConditions } from './unquoted-condition';
import { didYouMean, findClosest, maskAssignment } from '../text';

/**
 * Describes an error in the command line. For an unknown option or command it suggests a similar one. Commander's own suggestions
 * can have only some letters in common with it (`--note` for `--name`), and miss that the command takes the value as an argument.
 */
export function describeUsageError({ code, message }: CommanderError, command: Command): string {
  if (code === 'commander.unknownOption') return withoutValues(message) + optionHint(command);
  if (code === 'commander.unknownCommand') return withoutValues(message) + commandHint(command);
  if (code === 'commander.invalidArgument') return withClosestChoice(message);
  if (code === 'commander.excessArguments')
    return message + (conditionHint(command) ?? flagHint(command) ?? showHint(command) ?? usageLine(command));
  if (MISSING.has(code)) return message + usageLine(command);
  return message;
}

/** Commander names one missing word at a time, so the usage shows all that are required. */
const MISSING: ReadonlySet<string> = new Set([
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
]);

/** A message of commander about a word in quotes, which may be an assignment. */
const withoutValues = (message: string): string =>
  message.replace(/'(.*)'/s, (_, word: string) => `'${maskAssignment(word)}'`);

/** A message of commander that a word is none of some choices, with the one that is near. */
const withClosestChoice = (message: string): string =>
  message.replace(
    /'([^']*)'( is invalid[^.]*\.)( Allowed choices are (.*)\.)$/s,
    (_, word: string, end: string, all: string, choices: string) =>
      `'${word}'${end}${didYouMean(word, choices.split(', '))}${all}`,
  );

/** The first of the words that a command did not understand. Numbers can be negative. */
const OPTION = /^-[^\d.]/;

/** How to write a condition of `--where` whose words are arguments, because they are not quoted together. */
function conditionHint(command: Command): string | undefined {
  const { where = [] } = command.opts<{ readonly where?: readonly string[] }>();
  const [first, second] = quotedConditions(where, command.args).map((condition) =>
    [fullCommandName(command), '--where', shellWord(condition)].join(' '),
  );
  if (first === undefined) return undefined;
  return `\nQuote the whole condition: ${first}${second === undefined ? '' : `\nTo compare with a text: ${second}`}`;
}

function optionHint(command: Command): string {
  const word = command.args.find((argument) => OPTION.test(argument)) ?? '';
  if (!word.startsWith('--')) return dashHint(word, command);
  const [name = ''] = word.slice(2).split('=');
  if (command.registeredArguments.some((argument) => argument.name() === name))
    return `: it is an argument.${usageLine(command)}`;
  if (word.includes('=')) {
    const flag = command.options.find((option) => option.long === `--${name}` && option.isBoolean());
    if (flag) return `: ${withoutValue(flag, command)}`;
  }
  if (FORMAT_NAMES.has(name)) return suggestion(`-o ${name}`);
  const known = [command, ...ancestorsOf(command)].flatMap((owner) =>
    owner
      .createHelp()
      .visibleOptions(owner)
      .flatMap(({ long }) => long?.slice(2) ?? []),
  );
  const synonym = SYNONYMS[name];
  if (synonym !== undefined && known.includes(synonym.slice(2))) return suggestion(synonym);
  const similar = findSimilar(name, known);
  return ownersOf(name, command) + (similar === undefined ? '' : suggestion(`--${similar}`));
}

/** How to write an argument that begins with `-`, for a command that has arguments. */
const dashHint = (word: string, command: Command): string =>
  command.registeredArguments.length === 0
    ? ''
    : `\n(If it is no option, put -- before it: ${commandLine('--', [word])})`;

/** Says that an option such as `--active` takes no value, if an argument may be one. */
function flagHint(command: Command): string | undefined {
  const text = describeFlagWithValue(command, command.args.slice(command.registeredArguments.length));
  return text === undefined ? undefined : `\n${text}`;
}

/**
 * Says that an option such as `--active` takes no value; undefined if no word may be one.
 * @param words the arguments of the command that follow the name of a resource, which may be `true`
 */
export function describeFlagWithValue(command: Command, words: readonly string[]): string | undefined {
  if (!words.some((word) => word === 'true' || word === 'false')) return undefined;
  const flag = command.options.find(
    (option) =>
      negationOf(option, command) !== undefined &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  return flag && `The option ${withoutValue(flag, command)}`;
}

/** `--no-active` of `--active`; undefined for an option that has none. */
const negationOf = ({ long }: Option, { options }: Command): string | undefined =>
  options.find((other) => other.negate && other.long === long?.replace('--', '--no-'))?.long;

function withoutValue(flag: Option, command: Command): string {
  const negation = negationOf(flag, command);
  return `${flag.long ?? ''} takes no value${negation === undefined ? '' : `: use ${flag.long ?? ''} or ${negation}`}.`;
}

/** Which commands of the same kind have an option; empty if none has it. */
function ownersOf(name: string, { parent }: Command): string {
  // The commands of the program itself have little in common, and not all of them are loaded.
  const owners = (parent?.parent ? parent.commands : []).filter((sibling) =>
    sibling
      .createHelp()
      .visibleOptions(sibling)
      .some(({ long }) => long === `--${name}`),
  );
  const names = owners.map((owner) => `"${fullCommandName(owner)}"`).join(', ');
  return names === '' ? '' : `: it is an option of ${names}.`;
}

/** The command that shows one resource, if names are given to the command that lists them. */
function showHint(command: Command): string | undefined {
  const { parent, args } = command;
  const [word = ''] = args;
  if (!parent || command.name() !== 'list') return undefined;
  const show = parent.commands.find((sibling) => sibling.name() === 'show');
  // Other things than resources, such as changes, have ids only.
  if (!show || !(isKind(parent.name()) || /^\d+$/.test(word))) return undefined;
  return `\n(To show one: ${commandLine(fullCommandName(show), [word])})`;
}

function commandHint(command: Command): string {
  const known = command
    .createHelp()
    .visibleCommands(command)
    .flatMap((child) => [child.name(), ...child.aliases()]);
  const [word = '', second = ''] = command.args;
  if (!command.parent) {
    // A command that is named in the command line is loaded, with its subcommands.
    const owner = command.commands.find(
      (child) => child.name() === second || child.aliases().includes(second),
    );
    const hasWord = owner?.commands.some((child) => child.name() === word) === true;
    const place = PLACES.get(word);
    if (place !== undefined) return suggestion(place);
    const verb = verbOf(word, KIND_VERBS);
    if (verb !== undefined)
      return `\n(The kind comes first: muster ${hasWord || isKind(second) ? second : 'host'} ${verb})`;
  } else {
    const synonym = verbOf(word, known);
    if (synonym !== undefined) return suggestion(synonym);
    const at = command.args.findIndex((one) => verbOf(one, known) !== undefined);
    const usualVerb = command.args.some((one) => one.includes('=')) ? 'set' : 'get';
    const defaultVerb = isKind(word) ? known.find((verb) => verb === usualVerb) : undefined;
    const verb = verbOf(command.args[at] ?? '', known) ?? defaultVerb;
    if (verb !== undefined) {
      const before = command.args.slice(0, at < 0 ? undefined : at);
      return `\n(The verb comes first: ${commandLine(`${fullCommandName(command)} ${verb}`, before)})`;
    }
  }
  const similar = findSimilar(word, known);
  return similar === undefined ? '' : suggestion(similar);
}

/** Whether a word is a kind of resource, in the singular or the plural. */
const isKind = (word: string): boolean =>
  ['device', 'devices'].includes(word) ||
  resources.some(({ kind, collection }) => kind === word || collection === word);

/** The subcommands of every kind. */
const KIND_VERBS = ['list', 'show', 'create', 'update', 'delete'];

/** Where subcommands are that may be taken for commands of the program. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ...['get', 'set', 'unset', 'explain', 'where', 'keys', 'values', 'history', 'hoist'].map(
    (verb) => [verb, `vars ${verb}`] as const,
  ),
  ['counts', 'device counts'],
  ['revert', 'change revert'],
  ['undo', 'change revert'],
]);

const CREATE = ['create', 'set', 'new'];
const DELETE = ['delete', 'unset', 'revoke'];
const SHOW = ['show', 'get'];
const UPDATE = ['update', 'set'];

/** What other programs call the verbs. */
const VERBS: ReadonlyMap<string, readonly string[]> = new Map([
  ...['add', 'create', 'new'].map((word) => [word, CREATE] as const),
  ...['del', 'delete', 'remove', 'rm'].map((word) => [word, DELETE] as const),
  ...['describe', 'get', 'show', 'view'].map((word) => [word, SHOW] as const),
  ...['change', 'edit', 'modify', 'set', 'update'].map((word) => [word, UPDATE] as const),
  ['undo', ['revert']],
]);

/** The verb of a command that a word is, or means in other programs. */
const verbOf = (word: string, known: readonly string[]): string | undefined =>
  known.includes(word) ? word : VERBS.get(word)?.find((verb) => known.includes(verb));

/** Formats that are options of other programs. */
const FORMAT_NAMES: ReadonlySet<string> = new Set(['csv', 'json', 'yaml']);

/** Options by other words for what they do. */
const SYNONYMS: Readonly<Record<string, string>> = { columns: '--fields', format: '--output' };

const usageLine = (command: Command): string => `\nUsage: ${commandUsage(command)}`;

/**
 * A command line that a message shows, without the values of assignments: they may be secrets.
 * @param path the names of the command: `muster vars get`
 */
export const commandLine = (path: string, words: readonly string[]): string =>
  [path, ...words.map((word) => shellWord(maskAssignment(word)))].join(' ');

/** The usage of a command, with its full name: `muster vars get [options] <kind> <name> [keys...]`. */
export const commandUsage = (command: Command): string => `${fullCommandName(command)} ${command.usage()}`;

const suggestion = (word: string): string => `\n(Did you mean ${word}?)`;

const findSimilar = (name: string, known: readonly string[]): string | undefined =>
  findClosest(name, known) ?? known.find((word) => isAbbreviation(name, word)) ?? findByWord(name, known);

/** The only one of known names that has a name as a word: `ip-address` for `ip`. */
function findByWord(name: string, known: readonly string[]): string | undefined {
  const [found, ...others] = known.filter((word) => word.split('-').includes(name));
  return others.length === 0 ? found : undefined;
}

/**
 * Whether a word begins with the same letter, and has the other letters in the same order: `ls` and `list`. With less than half
 * of its letters, many words would do.
 */
function isAbbreviation(letters: string, word: string): boolean {
  let at = 0;
  for (const letter of word) if (letter === letters[at]) at++;
  return at === letters.length && word.startsWith(letters.charAt(0)) && word.length <= 2 * letters.length;
}

const ancestorsOf = ({ parent }: Command): Command[] => (parent ? [parent, ...ancestorsOf(parent)] : []);

/** The name of a command after the names of the commands that it belongs to: `muster host create`. */
export const fullCommandName = (command: Command): string =>
  [command, ...ancestorsOf(command)]
    .map((each) => each.name())
    .reverse()
    .join(' ');
