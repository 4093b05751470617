import type { Command, CommanderError } from 'commander';
import { didYouMean, findClosest } from '../text';

/**
 * Describes an error in the command line. For an unknown option or command it suggests a similar one. Commander's own suggestions
 * can have only some letters in common with it (`--note` for `--name`), and miss that the command takes the value as an argument.
 */
export function describeUsageError({ code, message }: CommanderError, command: Command): string {
  if (code === 'commander.unknownOption') return message + optionHint(command);
  if (code === 'commander.unknownCommand') return message + commandHint(command);
  if (code === 'commander.invalidArgument') return withClosestChoice(message);
  if (MISSING.has(code)) return message + usageLine(command);
  return message;
}

/** Commander names one missing word at a time, so the usage shows all that are required. */
const MISSING: ReadonlySet<string> = new Set([
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
]);

/** A message of commander that a word is none of some choices, with the one that is near. */
const withClosestChoice = (message: string): string =>
  message.replace(
    /'([^']*)'( is invalid[^.]*\.)( Allowed choices are (.*)\.)$/s,
    (_, word: string, end: string, all: string, choices: string) =>
      `'${word}'${end}${didYouMean(word, choices.split(', '))}${all}`,
  );

/** The first of the words that a command did not understand. Numbers can be negative. */
const OPTION = /^-[^\d.]/;

function optionHint(command: Command): string {
  const word = command.args.find((argument) => OPTION.test(argument)) ?? '';
  if (!word.startsWith('--')) return '';
  const [name = ''] = word.slice(2).split('=');
  if (command.registeredArguments.some((argument) => argument.name() === name))
    return `: it is an argument.${usageLine(command)}`;
  const synonym = SYNONYMS[name];
  if (synonym !== undefined && command.options.some(({ long }) => long === synonym))
    return suggestion(synonym);
  const known = [command, ...ancestorsOf(command)].flatMap((owner) =>
    owner
      .createHelp()
      .visibleOptions(owner)
      .flatMap(({ long }) => long?.slice(2) ?? []),
  );
  const similar = findSimilar(name, known);
  return similar === undefined ? '' : suggestion(`--${similar}`);
}

function commandHint(command: Command): string {
  const known = command
    .createHelp()
    .visibleCommands(command)
    .flatMap((child) => [child.name(), ...child.aliases()]);
  const [word = '', kind = ''] = command.args;
  if (!command.parent) {
    // A command that is named in the command line is loaded, with its subcommands.
    const owner = command.commands.find((child) => child.name() === kind || child.aliases().includes(kind));
    const hasWord = owner?.commands.some((child) => child.name() === word) === true;
    if (KIND_SUBCOMMANDS.has(word))
      return `\n(The kind comes first: muster ${hasWord ? kind : 'host'} ${word})`;
    if (VARS_SUBCOMMANDS.has(word)) return suggestion(`vars ${word}`);
  }
  const similar = findSimilar(word, known);
  return similar === undefined ? '' : suggestion(similar);
}

/** The subcommands of every kind, and some of `vars`. */
const KIND_SUBCOMMANDS: ReadonlySet<string> = new Set(['list', 'show', 'create', 'update', 'delete']);
const VARS_SUBCOMMANDS: ReadonlySet<string> = new Set(['get', 'set', 'unset', 'explain']);

/** Options by other words for what they do. */
const SYNONYMS: Readonly<Record<string, string>> = { columns: '--fields' };

const usageLine = (command: Command): string => `\nUsage: ${usageOf(command)}`;

/** `muster vars get [options] <kind> <name> [keys...]` */
export const usageOf = (command: Command): string => `${pathOf(command)} ${command.usage()}`;

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

/** `muster host create` */
export const pathOf = (command: Command): string =>
  [command, ...ancestorsOf(command)]
    .map((each) => each.name())
    .reverse()
    .join(' ');
