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

/** Schemas write patterns as JavaScript does: `\u0041`, `(?<name>…)`. */
const compile = (pattern: string): RE2JS => RE2JS.compile(RE2JS.translateRegExp(pattern));

const faultOf = (pattern: string, error: unknown): string =>
  `the pattern ${JSON.stringify(pattern)} is none that RE2 knows: ${error instanceof Error ? error.message : String(error)}`;
