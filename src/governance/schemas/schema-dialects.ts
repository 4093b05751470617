import type { RegExpEngine } from 'ajv/dist/types';
import { RE2JS } from 're2js';
import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats, { type FormatName } from 'ajv-formats';

/** Why a regular expression is rejected; undefined if it is accepted. */
function regexpError(pattern: string): string | undefined {
  try {
    compile(pattern);
    return undefined;
  } catch (error) {
    return regexpErrorMessage(pattern, error);
  }
}

/**
 * Ajv's engine for the regular expressions of schemas. RE2 runs in time linear in the text. JavaScript's engine can
 * backtrack exponentially. RE2 rejects what needs backtracking: lookaround and backreferences.
 */
const linearRegExpEngine: RegExpEngine = Object.assign(
  (pattern: string) => {
    try {
      const compiled = compile(pattern);
      // Ajv compares patterns by `toString`.
      return { test: (text: string) => compiled.test(text), toString: () => pattern };
    } catch (error) {
      throw new Error(regexpErrorMessage(pattern, error), { cause: error });
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

const regexpErrorMessage = (pattern: string, error: unknown): string =>
  `the pattern ${JSON.stringify(pattern.slice(0, MAX_QUOTED_LENGTH))} is not supported: ${error instanceof Error ? error.message : String(error)}`;

const OPTIONS: Options = {
  // An unknown keyword is rejected: a misspelled one would otherwise check nothing.
  strictSchema: true,
  strictTypes: false,
  strictTuples: false,
  // JavaScript parses numbers beyond the range of a double as Infinity. They are still numbers.
  strictNumbers: false,
  allowUnionTypes: true,
  // Both `properties` and `patternProperties` may apply to one member.
  allowMatchingProperties: true,
  // Ignore inherited properties such as `toString`; treat `__proto__` as an ordinary key.
  ownProperties: true,
  // Inlining would copy the referenced schema into every reference to it.
  inlineRefs: false,
  code: { regExp: linearRegExpEngine },
  logger: false,
};

/** The formats of JSON Schema that Ajv checks correctly. Ajv adds formats of its own and of OpenAPI; those are rejected. */
const FORMATS: FormatName[] = [
  ...(['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6'] as const),
  ...(['uri', 'uri-reference', 'uri-template', 'uuid', 'json-pointer', 'relative-json-pointer'] as const),
];

/** Keywords that Ajv accepts although no draft defines them. */
const NON_STANDARD_KEYWORDS = ['nullable', 'id', '$async'];

/** Standard keywords that Ajv implements incorrectly. Within one schema, `$ref` and `$anchor` replace them. */
const UNSUPPORTED_KEYWORDS: readonly string[] = ['$dynamicRef', '$dynamicAnchor'];

const DIALECTS = {
  'https://json-schema.org/draft/2020-12/schema': {
    validator: Ajv2020,
    removed: [...NON_STANDARD_KEYWORDS, '$recursiveRef', '$recursiveAnchor', ...UNSUPPORTED_KEYWORDS],
    // Ajv resolves anchors, but does not register the keyword.
    added: ['$anchor'],
  },
  'http://json-schema.org/draft-07/schema': {
    validator: Ajv,
    removed: [...NON_STANDARD_KEYWORDS, '$vocabulary', 'contentSchema', 'deprecated'],
    added: [],
  },
} as const;

export type Dialect = keyof typeof DIALECTS;
/** The dialect of a schema without `$schema`. */
export const DEFAULT_DIALECT: Dialect = 'https://json-schema.org/draft/2020-12/schema';
export const DIALECT_NAMES = Object.keys(DIALECTS);

export const isDialect = (uri: string): uri is Dialect => Object.hasOwn(DIALECTS, uri);

/** Creates the validator that checks schemas against the meta-schema of a dialect. */
export function metaValidator(dialect: Dialect): Ajv {
  // Patterns are checked when the schema is compiled, by the engine that executes them.
  return new DIALECTS[dialect].validator({ ...OPTIONS, validateFormats: false });
}

/** Creates a validator for one schema. Schemas do not share one, so that an `$id` cannot affect other schemas. */
export function schemaValidator(dialect: Dialect): Ajv {
  const { validator, removed, added } = DIALECTS[dialect];
  const ajv = new validator({ ...OPTIONS, meta: false, validateSchema: false });
  for (const keyword of removed) ajv.removeKeyword(keyword);
  for (const keyword of added) ajv.addKeyword(keyword);
  addFormats(ajv, FORMATS);
  // The format `regex` accepts the patterns that the engine accepts.
  return ajv.addFormat('regex', {
    type: 'string',
    validate: (pattern) => regexpError(pattern) === undefined,
  });
}

/** Rewrites Ajv's messages about unknown keywords, unknown formats and unresolvable references for API clients. */
export function rewordAjvMessage(message: string): string {
  // All patterns are anchored: names come from users, can be long and can contain the text of a message.
  const [, keyword = ''] = /^(?:strict mode: )?unknown keyword: "(.*)"$/s.exec(message) ?? [];
  if (UNSUPPORTED_KEYWORDS.includes(keyword))
    return `the keyword "${keyword}" is not supported: use $ref and $anchor`;
  if (message.startsWith("can't resolve reference"))
    return `${message.split(' from id ', 1).join()}: a $ref must point to a location inside the schema, such as #/$defs/…`;
  return message
    .replace(/^strict mode: /, '')
    .replace(/^(unknown format ".*") ignored in schema at .*$/s, '$1');
}
