import type { RegExpEngine } from 'ajv/dist/types';
import { RE2JS } from 're2js';

/** Why a regular expression is rejected; undefined if it is accepted. */
export function linearPatternFault(pattern: string): string | undefined {
  try {
    compile(pattern);
    return undefined;
  } catch (error) {
    return patternFault(pattern, error);
  }
}

/**
 * Ajv's engine for the regular expressions of schemas. RE2 runs in time linear in the text. JavaScript's engine can
 * backtrack exponentially. RE2 rejects what needs backtracking: lookaround and backreferences.
 */
export const linearPatterns: RegExpEngine = Object.assign(
  (pattern: string) => {
    try {
      const compiled = compile(pattern);
      // Ajv compares patterns by `toString`.
      return { test: (text: string) => compiled.test(text), toString: () => pattern };
    } catch (error) {
      throw new Error(patternFault(pattern, error), { cause: error });
    }
  },
  { code: 'linearPatterns' },
);

const MAX_PATTERN_LENGTH = 1_000;
/** Limit on the size of a compiled pattern. Matching time grows with the size, and nested repetitions multiply it. */
const MAX_INSTRUCTIONS = 5_000;

/** Translates JavaScript's syntax (`\u0041`, `(?<name>…)`) to RE2's. */
function compile(pattern: string): RE2JS {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new Error(`it is longer than ${String(MAX_PATTERN_LENGTH)} characters`);
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  if (compiled.programSize() > MAX_INSTRUCTIONS) throw new Error('its repetitions are too complex');
  return compiled;
}

/** Messages quote at most this many characters of a pattern. */
const MAX_QUOTED_LENGTH = 100;

const patternFault = (pattern: string, error: unknown): string =>
  `the pattern ${JSON.stringify(pattern.slice(0, MAX_QUOTED_LENGTH))} is not supported: ${error instanceof Error ? error.message : String(error)}`;
