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
