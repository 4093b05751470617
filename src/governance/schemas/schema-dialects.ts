import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats, { type FormatName } from 'ajv-formats';
import { linearPatternFault, linearPatterns } from './linear-patterns';

const OPTIONS: Options = {
  // A misspelt keyword would check nothing, so what is not known is refused.
  strictSchema: true,
  strictTypes: false,
  strictTuples: false,
  // JavaScript takes the largest numbers for infinite, and they are numbers all the same.
  strictNumbers: false,
  allowUnionTypes: true,
  // A member may have to keep what is said of it, and what is said of all that are named like it.
  allowMatchingProperties: true,
  // `toString` is no member of every value, and `__proto__` is a key like any other.
  ownProperties: true,
  // Otherwise what is referred to is copied to every place that does.
  inlineRefs: false,
  code: { regExp: linearPatterns },
  logger: false,
};

/** What is known of JSON Schema, and what it does right. The validator has others, of its own and of OpenAPI's. */
const FORMATS: FormatName[] = [
  ...(['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6'] as const),
  ...(['uri', 'uri-reference', 'uri-template', 'uuid', 'json-pointer', 'relative-json-pointer'] as const),
];

/** Keywords that the validator follows, or leaves alone, and that are none of the drafts'. */
const OF_NO_DRAFT = ['nullable', 'id', '$async'];

/** Keywords of JSON Schema that the validator takes for others: within one schema, `$ref` and `$anchor` do the same. */
const UNSUPPORTED: readonly string[] = ['$dynamicRef', '$dynamicAnchor'];

const DIALECTS = {
  'https://json-schema.org/draft/2020-12/schema': {
    validator: Ajv2020,
    unknown: [...OF_NO_DRAFT, '$recursiveRef', '$recursiveAnchor', ...UNSUPPORTED],
    // The validator finds what it names, and does not know it for a keyword.
    more: ['$anchor'],
  },
  'http://json-schema.org/draft-07/schema': {
    validator: Ajv,
    unknown: [...OF_NO_DRAFT, '$vocabulary', 'contentSchema', 'deprecated'],
    more: [],
  },
} as const;

export type Dialect = keyof typeof DIALECTS;
/** Of which a schema is that does not say so. */
export const USUAL: Dialect = 'https://json-schema.org/draft/2020-12/schema';
export const DIALECT_NAMES = Object.keys(DIALECTS);

export const isDialect = (uri: string): uri is Dialect => Object.hasOwn(DIALECTS, uri);

/** A validator of schemas themselves: it knows the meta-schemas, and the keywords that these are written with. */
export function metaValidator(dialect: Dialect): Ajv {
  // Patterns are looked at when the schema is compiled, by the engine that they are for.
  return new DIALECTS[dialect].validator({ ...OPTIONS, validateFormats: false });
}

/** A validator for one schema: what that names itself, by `$id`, cannot touch another. */
export function schemaValidator(dialect: Dialect): Ajv {
  const { validator, unknown, more } = DIALECTS[dialect];
  const ajv = new validator({ ...OPTIONS, meta: false, validateSchema: false });
  for (const keyword of unknown) ajv.removeKeyword(keyword);
  for (const keyword of more) ajv.addKeyword(keyword);
  addFormats(ajv, FORMATS);
  // A pattern is one where it can be used.
  return ajv.addFormat('regex', {
    type: 'string',
    validate: (pattern) => linearPatternFault(pattern) === undefined,
  });
}

/** A validator's own words for what it does not know or cannot reach, in the API's. */
export function plain(message: string): string {
  // Anchored, all of them: names may be long, and say what the validator says.
  const [, keyword = ''] = /^(?:strict mode: )?unknown keyword: "(.*)"$/s.exec(message) ?? [];
  if (UNSUPPORTED.includes(keyword)) return `the keyword "${keyword}" is not supported: use $ref and $anchor`;
  if (message.startsWith("can't resolve reference"))
    return `${message.split(' from id ', 1).join()}: a $ref leads to a place within the schema, as #/$defs/… does`;
  return message
    .replace(/^strict mode: /, '')
    .replace(/^(unknown format ".*") ignored in schema at .*$/s, '$1');
}
