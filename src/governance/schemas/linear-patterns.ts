import type { RegExpEngine } from 'ajv/dist/types';
import { RE2JS } from 're2js';

/** What is wrong with a regular expression; undefined if nothing is. */
export function linearPatternFault(pattern: string): string | undefined {
  try {
    compile(pattern);
    return undefined;
  } catch (error) {
    return faultOf(pattern, error);
  }
}

/**
 * The regular expressions of schemas. RE2 takes time in proportion to the text, whatever the pattern, where
 * JavaScript's own engine can be kept busy for years by a short one. What it cannot do in that time (looking around,
 * references back) it refuses.
 */
export const linearPatterns: RegExpEngine = Object.assign(
  (pattern: string) => {
    try {
      const compiled = compile(pattern);
      // The validator knows equal patterns by their texts.
      return { test: (text: string) => compiled.test(text), toString: () => pattern };
    } catch (error) {
      throw new Error(faultOf(pattern, error), { cause: error });
    }
  },
  { code: 'linearPatterns' },
);

const LONGEST_PATTERN = 1_000;
/** Of a compiled pattern: the time for a text grows with it, too, and repeats within repeats multiply. */
const MOST_INSTRUCTIONS = 5_000;

/** Schemas write patterns as JavaScript does: `\u0041`, `(?<name>…)`. */
function compile(pattern: string): RE2JS {
  if (pattern.length > LONGEST_PATTERN)
    throw new Error(`it is longer than ${String(LONGEST_PATTERN)} characters`);
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  if (compiled.programSize() > MOST_INSTRUCTIONS) throw new Error('it repeats too much');
  return compiled;
}

/** Characters of a pattern that messages repeat. */
const MOST_SHOWN = 100;

const faultOf = (pattern: string, error: unknown): string =>
  `the pattern ${JSON.stringify(pattern.slice(0, MOST_SHOWN))} is none that can be used: ${error instanceof Error ? error.message : String(error)}`;
