import fc from '../../support/property-testing';
import { gzipSync } from 'node:zlib';
import {
  HUNDRED_THOUSAND_DIGITS,
  INVALID_UTF8,
  JSON_BOMBS,
  LONG_TEXT,
  PROTOTYPE_KEYS,
  TEXTS,
  VALUES,
} from './catalogue';
import {
  altered,
  isList,
  jsonText,
  Members,
  Raw,
  sizeOf,
  type Json,
  type Resolve,
} from './unserialized-json';

/** A modification of the JSON of a body. */
type Alteration = (json: Json) => Json;

const WRONG_TYPES: readonly Json[] = [
  null,
  true,
  'a text',
  new Raw('17'),
  new Raw('1.5'),
  new Raw('-1'),
  new Raw('9007199254740993'),
  [],
  [[]],
  new Members([]),
  '',
  'x'.repeat(256),
  'x'.repeat(10_001),
];

/** Members that only the service sets, or that do not exist. */
const UNEXPECTED = [
  'id',
  'uuid',
  'project_id',
  'version',
  'created_at',
  'api_key',
  'is_root',
  'unexpected',
  'Name',
];

const indexes = fc.nat(10_000);

/** Alters the value at the index, modulo the number of values. */
const at =
  (position: number, alter: (value: Json) => Json): Alteration =>
  (json) =>
    altered(json, position % sizeOf(json), alter);

/** Alters the object at the index; other values are unchanged. */
const atObject = (position: number, alter: (pairs: Members['pairs']) => Members['pairs']): Alteration =>
  at(position, (value) => (value instanceof Members ? new Members(alter(value.pairs)) : value));

/** One fault: a wrong type or range, or an extra, missing or duplicate member. */
export const nearlyValid: fc.Arbitrary<Alteration> = fc.oneof(
  fc.tuple(indexes, fc.constantFrom(...WRONG_TYPES)).map(([position, value]) => at(position, () => value)),
  fc
    .tuple(fc.constantFrom(0, 0, 1, 2), fc.nat(20))
    .map(([position, index]) =>
      atObject(position, (pairs) => pairs.filter((_, i) => i !== index % pairs.length)),
    ),
  fc
    .tuple(fc.constantFrom(0, 0, 1, 2), fc.constantFrom(...UNEXPECTED), fc.constantFrom(...WRONG_TYPES))
    .map(([position, key, value]) => atObject(position, (pairs) => [...pairs, [key, value]])),
  fc
    .tuple(fc.constantFrom(0, 0, 1, 2), fc.nat(20), fc.constantFrom(...WRONG_TYPES))
    .map(([position, index, value]) =>
      atObject(position, (pairs) => {
        const duplicate = pairs[index % pairs.length];
        return duplicate ? [...pairs, [duplicate[0], value]] : pairs;
      }),
    ),
);

/** An entry of the catalogue, as a value or as a key. */
export const hostile: fc.Arbitrary<Alteration> = fc.oneof(
  fc.tuple(indexes, fc.constantFrom(...VALUES)).map(([position, value]) => at(position, () => value)),
  fc
    .tuple(indexes, fc.constantFrom(...PROTOTYPE_KEYS, ...TEXTS), fc.constantFrom(...VALUES))
    .map(([position, key, value]) =>
      at(position, (found) =>
        found instanceof Members ? new Members([...found.pairs, [key, value]]) : new Members([[key, found]]),
      ),
    ),
);

/** How a body is encoded, and what its headers declare. */
export interface Wire {
  readonly name: string;
  /** Serializes JSON, if the body is not a single JSON value. */
  readonly text?: (json: Json, resolve: Resolve) => string;
  readonly bytes: (text: string) => Buffer;
  readonly type?: string | null;
  readonly encoding?: string;
}

/** One line per item. */
export const linesOf = (json: Json, resolve: Resolve): string =>
  (isList(json) ? json : [json]).map((item) => `${jsonText(item, resolve)}\n`).join('');

/** One row per item. The values of an array are its fields, which are not quoted here. */
export const tableOf = (json: Json, resolve: Resolve): string =>
  (isList(json) ? json : [json])
    .map((row) => `${(isList(row) ? row : [row]).map((field) => fieldOf(field, resolve)).join(',')}\r\n`)
    .join('');

const fieldOf = (field: Json, resolve: Resolve): string =>
  typeof field === 'string' ? field : jsonText(field, resolve);

export const PLAIN: Wire = { name: 'plain', bytes: (text) => Buffer.from(text) };

const inserted = (bytes: readonly number[]) => (text: string) => {
  const all = Buffer.from(text);
  const middle = Math.floor(all.length / 2);
  return Buffer.concat([all.subarray(0, middle), Buffer.from(bytes), all.subarray(middle)]);
};

/** Encodings other than JSON in UTF-8. */
export const wires: fc.Arbitrary<Wire> = fc.constantFrom<Wire[]>(
  { name: 'truncated', bytes: (text) => Buffer.from(text).subarray(0, -1) },
  { name: 'truncated in the middle', bytes: (text) => Buffer.from(text.slice(0, text.length / 2)) },
  { name: 'empty', bytes: () => Buffer.alloc(0) },
  { name: 'white space', bytes: () => Buffer.from(' \n\t') },
  { name: 'with a BOM', bytes: (text) => Buffer.from(`\ufeff${text}`) },
  { name: 'with a tail', bytes: (text) => Buffer.from(`${text}x`) },
  { name: 'twice', bytes: (text) => Buffer.from(`${text}\n${text}`) },
  { name: 'UTF-16', bytes: (text) => Buffer.from(text, 'utf16le') },
  { name: 'said to be UTF-16', bytes: (text) => Buffer.from(text), type: 'application/json; charset=utf-16' },
  {
    name: 'Latin-1',
    bytes: (text) => Buffer.from(text, 'latin1'),
    type: 'application/json; charset=iso-8859-1',
  },
  {
    name: 'a form',
    bytes: () => Buffer.from('__proto__[polluted]=1'),
    type: 'application/x-www-form-urlencoded',
  },
  { name: 'a text', bytes: (text) => Buffer.from(text), type: 'text/plain' },
  { name: 'lines', bytes: (text) => Buffer.from(`${text}\n`), type: 'application/x-ndjson' },
  { name: 'a table', bytes: () => Buffer.from('name,region\r\n"a'), type: 'text/csv' },
  { name: 'of no type', bytes: (text) => Buffer.from(text), type: null },
  { name: 'gzip', bytes: (text) => gzipSync(text), encoding: 'gzip' },
  { name: 'gzip cut off', bytes: (text) => gzipSync(text).subarray(0, -9), encoding: 'gzip' },
  { name: 'no gzip', bytes: (text) => Buffer.from(text), encoding: 'gzip' },
  { name: 'no brotli', bytes: (text) => Buffer.from(text), encoding: 'br' },
  { name: 'no encoding', bytes: (text) => Buffer.from(text), encoding: 'compress' },
  ...Object.entries(INVALID_UTF8).map(([name, bytes]) => ({ name, bytes: inserted(bytes) })),
);

/** Whole bodies by name. Large ones are rare. */
export const bombs: fc.Arbitrary<{ readonly name: string; readonly text: string }> = fc.constantFrom(
  ...Object.entries({
    ...JSON_BOMBS,
    HUNDRED_THOUSAND_DIGITS,
    LONG_TEXT: JSON.stringify(LONG_TEXT),
    NULL: 'null',
    NOTHING_MUCH: '{}',
    EMPTY_ARRAY: '[]',
  }).map(([name, text]) => ({ name, text })),
);
