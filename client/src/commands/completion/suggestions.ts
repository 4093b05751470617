import { Option, type Argument, type Command } from 'commander';
import { readProfiles } from '../../settings/profiles';
import { readLine, type Reading } from './asked';
import { fieldsOf, isKind, KnownNames } from './known-names';
import { FILES } from './scripts';

/** Something that may stand where the cursor is. */
export interface Suggestion {
  readonly value: string;
  readonly description?: string;
}

/** What may stand where the cursor is; `FILES` where that is a file. */
export async function suggestionsFor(
  program: Command,
  words: readonly string[],
  current: string,
): Promise<readonly Suggestion[] | typeof FILES> {
  const reading = readLine(program, words, current);
  const { asked } = reading;
  if (asked.what === 'nothing') return [];
  if (asked.what === 'commands') return beginning(commandsOf(asked.of), current);
  if (asked.what === 'options') return beginning(asked.of.toReversed().flatMap(optionsOf), current);
  // Of several that are joined by commas the last is being typed.
  const list = asked.place instanceof Option && JOINED.has(asked.place.name());
  const begin = list ? asked.typed.lastIndexOf(',') + 1 : 0;
  const found = await valuesOf(asked.place, reading, asked.typed.slice(begin));
  if (found === FILES) return found;
  const front = asked.before + asked.typed.slice(0, begin);
  return beginning(found, asked.typed.slice(begin)).map((one) => ({ ...one, value: front + one.value }));
}

const JOINED = new Set(['labels', 'fields']);

const beginning = (suggestions: readonly Suggestion[], typed: string): Suggestion[] =>
  suggestions.filter(({ value }) => value.startsWith(typed));

const commandsOf = (command: Command): Suggestion[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ value: one.name(), description: one.description() }));

const optionsOf = (command: Command): Suggestion[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long === undefined ? [] : [{ value: long, description }]));

async function valuesOf(
  place: Argument | Option,
  reading: Reading,
  typed: string,
): Promise<readonly Suggestion[] | typeof FILES> {
  const { argChoices } = place;
  if (argChoices) return argChoices.map(suggested);
  const { chain, operands, options } = reading;
  const name = place.name();
  const isOption = place instanceof Option;
  const word = isOption ? placeholderOf(place) : name;
  if (/file|path/.test(word)) return FILES;
  if (isOption && name === 'profile') return [...readProfiles().keys()].map(suggested);
  if (isOption && name === 'fields') return fieldsOf(chain.at(-2)?.name() ?? '').map(suggested);
  const isKey = /^keys?$/.test(word);
  const kind = kindOf(name, word, isOption, reading);
  if (!isKey && name !== 'project' && (kind === undefined || !isKind(kind))) return [];
  const known = new KnownNames(flagsOf(options));
  if (isKey) return (await known.keys(operands[0], operands[1])).map(suggested);
  if (isOption && name === 'project') return known.projects();
  return (await known.ofKind(kind ?? word, typed)).map(suggested);
}

/** The kind whose names may stand there: often the placeholder is called by it. */
function kindOf(
  name: string,
  word: string,
  isOption: boolean,
  { operands, options }: Reading,
): string | undefined {
  if (isOption && name === 'labels') return 'label';
  if (isOption && name === 'resource') return options.get('kind');
  return word === 'name' && !isOption ? operands[0] : word;
}

const suggested = (value: string): Suggestion => ({ value });

/** What an option calls its value: `region` of `--region <region>`. */
const placeholderOf = ({ flags }: Option): string => /[<[]([^>\]]*?)(?:\.\.\.)?[>\]]/.exec(flags)?.[1] ?? '';

function flagsOf(options: ReadonlyMap<string, string>) {
  const names = ['profile', 'url', 'project', 'user', 'token'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = options.get(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
