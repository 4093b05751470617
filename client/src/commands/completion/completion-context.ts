import type { Argument, Command, Option } from 'commander';

/** What can be completed at the cursor. */
type CompletionRequest =
  | { readonly what: 'commands'; readonly of: Command }
  | { readonly what: 'options'; readonly of: readonly Command[] }
  | {
      readonly what: 'value';
      readonly target: Argument | Option;
      /** The typed part of the value, and the part of the word before it: `--region=`. */
      readonly typed: string;
      readonly before: string;
    }
  | { readonly what: 'nothing' };

/** A command line up to the cursor. */
export interface CompletionContext {
  readonly request: CompletionRequest;
  /** The named commands, from the program to the subcommand. */
  readonly commands: readonly Command[];
  /** The arguments of the command. */
  readonly operands: readonly string[];
  /** The values of options, by long names without dashes. */
  readonly options: ReadonlyMap<string, string>;
}

/** Parses an incomplete command line. */
export function parseContext(program: Command, words: readonly string[], current: string): CompletionContext {
  const commands = [program];
  const operands: string[] = [];
  const options = new Map<string, string>();
  let pendingOption: Option | undefined;
  let optionsEnded = false;
  for (const word of words) {
    const [flag = '', ...inline] = word.split('=');
    if (pendingOption) {
      options.set(pendingOption.name(), word);
      pendingOption = undefined;
    } else if (optionsEnded || !/^-./.test(word)) {
      const subcommand = operands.length === 0 && !optionsEnded ? findCommand(commands, word) : undefined;
      if (subcommand) commands.push(subcommand);
      else operands.push(word);
    } else if (word === '--') optionsEnded = true;
    else {
      const option = findOption(commands, flag);
      if (option?.required !== true) continue;
      if (inline.length > 0) options.set(option.name(), inline.join('='));
      // `-ojson` includes its value.
      else if (flag.startsWith('--') || flag.length === 2) pendingOption = option;
    }
  }
  const request = pendingOption
    ? { what: 'value' as const, target: pendingOption, typed: current, before: '' }
    : completionRequest(commands, operands, current, optionsEnded);
  return { request, commands, operands, options };
}

function completionRequest(
  commands: readonly Command[],
  operands: readonly string[],
  current: string,
  optionsEnded: boolean,
): CompletionRequest {
  const command = commands.at(-1);
  if (!optionsEnded && current.startsWith('-')) {
    const equals = current.indexOf('=');
    if (equals < 0) return { what: 'options', of: commands };
    const option = findOption(commands, current.slice(0, equals));
    if (!option) return { what: 'nothing' };
    const before = current.slice(0, equals + 1);
    return { what: 'value', target: option, typed: current.slice(before.length), before };
  }
  if (!command) return { what: 'nothing' };
  if (command.commands.length > 0 && operands.length === 0) return { what: 'commands', of: command };
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const target = registeredArguments[operands.length] ?? (last?.variadic ? last : undefined);
  return target ? { what: 'value', target, typed: current, before: '' } : { what: 'nothing' };
}

const findCommand = (commands: readonly Command[], word: string): Command | undefined =>
  commands.at(-1)?.commands.find((one) => one.name() === word || one.aliases().includes(word));

/** Finds an option of the command or of one of its parents. */
function findOption(commands: readonly Command[], flag: string): Option | undefined {
  const short = flag.startsWith('--') ? flag : flag.slice(0, 2);
  return commands
    .flatMap(({ options }) => options)
    .find((option) => option.long === flag || (option.short !== undefined && option.short === short));
}

/** The words of a command line up to the cursor. */
export interface TypedLine {
  /** The complete words after the name of the program. */
  readonly words: readonly string[];
  /** The incomplete word at the cursor. */
  readonly current: string;
  /** The length of the part of the word that the shell keeps. It replaces the rest. */
  readonly keptLength: number;
  /** The open quote around the cursor; empty if there is none. */
  readonly quote: Quote;
}

export type Quote = '"' | "'" | '';

/** The characters that a backslash escapes within double quotes. */
const ESCAPABLE = new Set(['$', '`', '"', '\\', '\n']);

/**
 * Splits a command line as Bash does, without evaluating it.
 * @param breaks COMP_WORDBREAKS
 * @returns undefined within `$'…'`, which has other rules
 */
export function splitBashLine(line: string, breaks: string): TypedLine | undefined {
  const words: string[] = [];
  let [current, keptLength, keptLengthOutside, isWordStarted] = ['', 0, 0, false];
  let quote: Quote = '';
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (quote !== '' && character === quote) [quote, keptLength] = ['', keptLengthOutside];
    else if (character === '\\' && quote !== "'" && (quote === '' || ESCAPABLE.has(line.charAt(at + 1)))) {
      // The word may end with a backslash: a common prefix of several names can end before an escaped character.
      current += line.charAt(++at);
    } else if (character === '\\' && quote === '"' && at + 1 === line.length) break;
    else if (quote !== '') current += character;
    else if (character === '"' || character === "'") {
      if (isUnescapedDollar(line, at - 1)) return undefined;
      [quote, keptLengthOutside, keptLength] = [character, keptLength, current.length];
    } else if (/\s/.test(character)) {
      if (isWordStarted) words.push(current);
      [current, keptLength, isWordStarted] = ['', 0, false];
      continue;
    } else {
      current += character;
      if (breaks.includes(character)) keptLength = current.length;
    }
    isWordStarted = true;
  }
  return { words: words.slice(1), current, keptLength, quote };
}

/** Whether the character at this index is an unescaped `$`. */
function isUnescapedDollar(line: string, at: number): boolean {
  const [backslashes = ''] = /\\*$/.exec(line.slice(0, Math.max(0, at))) ?? [];
  return line.charAt(at) === '$' && backslashes.length % 2 === 0;
}

/** The words of a shell that splits the line itself. */
export function splitWords(words: readonly string[]): TypedLine {
  // fish passes the incomplete word with its opening quote and escapes.
  const typed = (words.at(-1) ?? '').replace(/^["']/, '').replace(/\\(.)/g, '$1');
  return { words: words.slice(0, -1), current: typed, keptLength: 0, quote: '' };
}
