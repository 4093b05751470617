import type { Argument, Command, Option } from 'commander';

/** What may stand where the cursor is. */
type Asked =
  | { readonly what: 'commands'; readonly of: Command }
  | { readonly what: 'options'; readonly of: readonly Command[] }
  | {
      readonly what: 'value';
      readonly place: Argument | Option;
      /** What is typed of the value, and what of the word is in front of it: `--region=`. */
      readonly typed: string;
      readonly before: string;
    }
  | { readonly what: 'nothing' };

/** What a line says up to the cursor. */
export interface Reading {
  readonly asked: Asked;
  /** From the program down to the command that is named. */
  readonly chain: readonly Command[];
  /** What is given for its arguments, in their order. */
  readonly operands: readonly string[];
  /** What is given for options, by their long names without dashes. */
  readonly options: ReadonlyMap<string, string>;
}

/** Reads a line that is not complete as the command line would. */
export function readLine(program: Command, words: readonly string[], current: string): Reading {
  const chain = [program];
  const operands: string[] = [];
  const options = new Map<string, string>();
  let awaiting: Option | undefined;
  let literal = false;
  for (const word of words) {
    const [flag = '', ...inline] = word.split('=');
    if (awaiting) {
      options.set(awaiting.name(), word);
      awaiting = undefined;
    } else if (literal || !/^-./.test(word)) {
      const below = operands.length === 0 && !literal ? commandOf(chain, word) : undefined;
      if (below) chain.push(below);
      else operands.push(word);
    } else if (word === '--') literal = true;
    else {
      const option = optionOf(chain, flag);
      if (option?.required !== true) continue;
      if (inline.length > 0) options.set(option.name(), inline.join('='));
      // `-ojson` has its value with it.
      else if (flag.startsWith('--') || flag.length === 2) awaiting = option;
    }
  }
  const asked = awaiting
    ? { what: 'value' as const, place: awaiting, typed: current, before: '' }
    : askedOf(chain, operands, current, literal);
  return { asked, chain, operands, options };
}

function askedOf(
  chain: readonly Command[],
  operands: readonly string[],
  current: string,
  literal: boolean,
): Asked {
  const command = chain.at(-1);
  if (!literal && current.startsWith('-')) {
    const equals = current.indexOf('=');
    if (equals < 0) return { what: 'options', of: chain };
    const option = optionOf(chain, current.slice(0, equals));
    if (!option) return { what: 'nothing' };
    const before = current.slice(0, equals + 1);
    return { what: 'value', place: option, typed: current.slice(before.length), before };
  }
  if (!command) return { what: 'nothing' };
  if (command.commands.length > 0 && operands.length === 0) return { what: 'commands', of: command };
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const place = registeredArguments[operands.length] ?? (last?.variadic ? last : undefined);
  return place ? { what: 'value', place, typed: current, before: '' } : { what: 'nothing' };
}

const commandOf = (chain: readonly Command[], word: string): Command | undefined =>
  chain.at(-1)?.commands.find((one) => one.name() === word || one.aliases().includes(word));

/** An option of the command, or of one that it stands in. */
function optionOf(chain: readonly Command[], flag: string): Option | undefined {
  const short = flag.startsWith('--') ? flag : flag.slice(0, 2);
  return chain
    .flatMap(({ options }) => options)
    .find((option) => option.long === flag || (option.short !== undefined && option.short === short));
}

/** What somebody has typed, up to where the cursor is. */
export interface Typed {
  /** The whole words, without the program's own. */
  readonly words: readonly string[];
  /** The word that is being typed, as far as it is there. */
  readonly current: string;
  /** How much of it stays as it is: what the shell replaces begins behind. */
  readonly kept: number;
  /** The quote that it stands in, which is not closed yet; empty where it stands in none. */
  readonly quote: Quote;
}

/** What opens a text in quotes, and closes it. */
export type Quote = '"' | "'" | '';

/** What a backslash takes its meaning from between double quotes; before anything else it stands for itself. */
const ESCAPED = new Set(['$', '`', '"', '\\', '\n']);

/**
 * Splits a command line as Bash does, as far as that can be told without evaluating it.
 * @param breaks COMP_WORDBREAKS
 * @returns undefined in a text of `$'…'`: other rules hold there
 */
export function typedInBash(line: string, breaks: string): Typed | undefined {
  const words: string[] = [];
  let [current, kept, outside, begun] = ['', 0, 0, false];
  let quote: Quote = '';
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (quote !== '' && character === quote) [quote, kept] = ['', outside];
    else if (character === '\\' && quote !== "'" && (quote === '' || ESCAPED.has(line.charAt(at + 1)))) {
      // What several names have in common may end with what is to escape.
      current += line.charAt(++at);
    } else if (character === '\\' && quote === '"' && at + 1 === line.length) break;
    else if (quote !== '') current += character;
    else if (character === '"' || character === "'") {
      if (isDollar(line, at - 1)) return undefined;
      [quote, outside, kept] = [character, kept, current.length];
    } else if (/\s/.test(character)) {
      if (begun) words.push(current);
      [current, kept, begun] = ['', 0, false];
      continue;
    } else {
      current += character;
      if (breaks.includes(character)) kept = current.length;
    }
    begun = true;
  }
  return { words: words.slice(1), current, kept, quote };
}

/** Whether an unescaped `$` stands there. */
function isDollar(line: string, at: number): boolean {
  const [backslashes = ''] = /\\*$/.exec(line.slice(0, Math.max(0, at))) ?? [];
  return line.charAt(at) === '$' && backslashes.length % 2 === 0;
}

/** For the shells that tell the words by themselves. */
export function typedWords(words: readonly string[]): Typed {
  // fish leaves an opening quote, and what escapes, in the word that is not complete.
  const typed = (words.at(-1) ?? '').replace(/^["']/, '').replace(/\\(.)/g, '$1');
  return { words: words.slice(0, -1), current: typed, kept: 0, quote: '' };
}
