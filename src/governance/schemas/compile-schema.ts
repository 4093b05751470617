import { isNativeError } from 'node:util/types';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { isDeeperThan } from '../../core/json/json-depth';
import { keepAccepted, storedText } from './compiled-schemas';
import {
  DIALECT_NAMES,
  isDialect,
  metaValidator,
  plain,
  schemaValidator,
  USUAL,
  type Dialect,
} from './schema-dialects';
import { hasRing } from './schema-cycles';
import { TookTooLong, withinTime } from './validation-timeout';

/** A value that breaks a schema: where, as a JSON pointer into the value, and how. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

const LONGEST_SCHEMA = 64 * 1024;
const DEEPEST_SCHEMA = 64;
/**
 * In milliseconds. Sensible schemas take a few; what takes longer would hold up everybody else. It is a quarter of the
 * time in which an accepted schema has to be compiled again, by a process that is busier.
 */
const TIME_TO_ACCEPT = 500;

/** What holds of the schemas of each dialect; made when first needed. */
const metaSchemas = new Map<Dialect, Ajv>();

/** @throws Error that says what is wrong with the schema */
export function compileSchema(schema: unknown): ValidateFunction {
  return schemaValidator(dialectOf(schema) ?? USUAL).compile(schema as object | boolean);
}

/** What is wrong with a JSON Schema; undefined if nothing is. */
export function schemaFault(schema: unknown): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return 'must be a JSON Schema: an object, true or false';
  const known = faults.get(schema);
  if (known) return known.fault;
  const fault = objectFault(schema);
  faults.set(schema, { fault });
  return fault;
}

/** A body is asked twice: whether it is right, and what is wrong. Finding that out can take its time. */
const faults = new WeakMap<object, { readonly fault: string | undefined }>();

function objectFault(schema: object): string | undefined {
  if (isDeeperThan(DEEPEST_SCHEMA, schema)) return `is nested deeper than ${String(DEEPEST_SCHEMA)} levels`;
  const text = JSON.stringify(schema);
  if (hasInfiniteNumber(schema)) return 'has a number that is too large to compare with';
  if (Buffer.byteLength(text) > LONGEST_SCHEMA) return 'takes at most 64 KiB';
  const dialect = dialectOf(schema);
  if (!dialect) return `$schema must be one of ${DIALECT_NAMES.join(', ')}, or left out`;
  const meta = metaSchemaOf(dialect);
  return withinTimeFault(() => {
    if (meta.validateSchema(schema) !== true) return metaFault(meta.errors ?? []);
    const stored = storedText(schema);
    const validate = compileSchema(JSON.parse(stored));
    if (hasRing(schema)) return ENDLESS;
    // What cannot be told of these cannot be told of any value.
    for (const value of PLAIN_VALUES) validate(value);
    keepAccepted(stored, validate);
    return undefined;
  });
}

const ENDLESS = 'refers to itself without end';
const PLAIN_VALUES: readonly unknown[] = [null, true, 0, '', [], {}];

/** JavaScript takes a number of more than 308 digits for infinite, and JSON has no word for that. */
const hasInfiniteNumber = (value: unknown): boolean =>
  typeof value === 'number'
    ? !Number.isFinite(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(hasInfiniteNumber);

function withinTimeFault(check: () => string | undefined): string | undefined {
  try {
    return withinTime(TIME_TO_ACCEPT, check);
  } catch (error) {
    if (error instanceof TookTooLong) {
      // Whatever was cut off in the middle is not used again.
      metaSchemas.clear();
      return 'takes too long to be understood';
    }
    if (isStackOverflow(error)) return ENDLESS;
    if (isNativeError(error) || error instanceof Error) return plain(error.message);
    throw error;
  }
}

/** Whether the work called itself until there was no room left. */
export const isStackOverflow = (error: unknown): boolean =>
  isNativeError(error) && error.name === 'RangeError';

function dialectOf(schema: unknown): Dialect | undefined {
  if (typeof schema !== 'object' || schema === null || !('$schema' in schema)) return USUAL;
  const { $schema: named } = schema;
  if (typeof named !== 'string') return undefined;
  const uri = named.replace(/#$/, '');
  return isDialect(uri) ? uri : undefined;
}

function metaSchemaOf(dialect: Dialect): Ajv {
  const known = metaSchemas.get(dialect);
  if (known) return known;
  const made = metaValidator(dialect);
  // Now, and not within the time of the first schema that is looked at.
  made.getSchema(dialect);
  metaSchemas.set(dialect, made);
  return made;
}

function metaFault(errors: readonly ErrorObject[]): string {
  // The first is the innermost; those after it say that the whole is therefore none of the forms that it could have.
  const [error] = errors;
  if (!error) return 'is no JSON Schema';
  const at = error.instancePath === '' ? '' : `at ${error.instancePath}: `;
  return `${at}${messageOf(error)}`;
}

/** What is wrong with a value, of all that its validator says. */
export function faultOf(errors: readonly ErrorObject[]): Fault {
  // The last is the outermost: that none of several forms fits, not how the first of them does not. But that `then`
  // does not hold is said better by what of it does not.
  const error = errors.filter(({ keyword }) => keyword !== 'if').at(-1);
  return error
    ? { path: error.instancePath, message: messageOf(error) }
    : { path: '', message: 'is not valid' };
}

const MOST_SHOWN = 200;

function messageOf({ keyword, message = 'is not valid', params }: ErrorObject): string {
  const told: Record<string, unknown> = params;
  const more = told[DETAILS[keyword] ?? ''];
  if (more === undefined) return message;
  const text = Array.isArray(more) ? more.map((one) => JSON.stringify(one)).join(', ') : JSON.stringify(more);
  return `${message}: ${text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text}`;
}

/** What of an error's parameters its message leaves out. */
const DETAILS: Readonly<Record<string, string>> = {
  enum: 'allowedValues',
  const: 'allowedValue',
  additionalProperties: 'additionalProperty',
  unevaluatedProperties: 'unevaluatedProperty',
  propertyNames: 'propertyName',
};
