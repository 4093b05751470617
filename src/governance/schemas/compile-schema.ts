import { isNativeError } from 'node:util/types';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { isDeeperThan } from '../../core/json/json-text';
import {
  DIALECT_NAMES,
  isDialect,
  metaValidator,
  rewordAjvMessage,
  schemaValidator,
  DEFAULT_DIALECT,
  type Dialect,
} from './schema-dialects';
import { hasReferenceCycle } from './schema-cycles';
import { runWithTimeout, VmTimeoutError } from '../../core/vm-timeout';
import { fault, type Fault } from '../../core/error-details';

/** Limit on accepted schemas that no value has been validated against yet. */
const MAX_ACCEPTED = 20;

/** Compiled schemas by their canonical text. */
const accepted = new Map<string, ValidateFunction>();

/**
 * Caches the function that was compiled to check a schema, so that the first value does not compile it again.
 * @param text from `canonicalSchemaText`
 */
function cacheAcceptedSchema(text: string, validate: ValidateFunction): void {
  accepted.delete(text);
  accepted.set(text, validate);
  for (const oldest of accepted.keys()) {
    if (accepted.size <= MAX_ACCEPTED) break;
    accepted.delete(oldest);
  }
}

/** Removes the compiled function of an accepted schema from the cache and returns it. */
export function takeAcceptedSchema(text: string): ValidateFunction | undefined {
  const validate = accepted.get(text);
  accepted.delete(text);
  return validate;
}

/**
 * A schema as text, with its members in the order of PostgreSQL's `jsonb`. Ajv reports violations in the order of the
 * members, so that order must be the same before and after the schema is stored.
 */
export function canonicalSchemaText(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return JSON.stringify(schema);
  if (Array.isArray(schema)) return `[${schema.map(canonicalSchemaText).join(',')}]`;
  const entries: [string, unknown][] = Object.entries(schema);
  const members = entries.map(([name, value]) => ({ name: Buffer.from(name), value }));
  members.sort((a, b) => a.name.length - b.name.length || Buffer.compare(a.name, b.name));
  return `{${members.map(({ name, value }) => `${JSON.stringify(name.toString())}:${canonicalSchemaText(value)}`).join(',')}}`;
}

/** A violation of a schema: its location in the value, as a JSON pointer, and a message. */
export interface SchemaViolation {
  readonly path: string;
  readonly message: string;
  /** If the value has another JSON type: those that the schema accepts there. */
  readonly types?: readonly string[];
}

const MAX_SCHEMA_BYTES = 64 * 1024;
const MAX_SCHEMA_DEPTH = 64;
/**
 * Timeout for checking and compiling a new schema. Typical schemas take a few milliseconds. The timeout is a quarter of
 * `COMPILE_TIMEOUT_MS`, so that a busier process can still compile a schema that this one has accepted.
 */
const ACCEPT_TIMEOUT_MS = 500;

/** The meta-schema validator of each dialect, created on first use. */
const metaValidators = new Map<Dialect, Ajv>();

/** @throws Error with the reason if the schema is invalid */
export function compileSchema(schema: unknown): ValidateFunction {
  return schemaValidator(dialectOf(schema) ?? DEFAULT_DIALECT).compile(schema as object | boolean);
}

/**
 * Why a JSON Schema is rejected without compiling it; undefined if it can be compiled, which `compileFault` does. This
 * is fast, so it can run on the main thread.
 */
export function schemaFormFault(schema: unknown): Fault | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return fault('invalid_type', 'must be a JSON Schema: an object, true or false');
  if (isDeeperThan(MAX_SCHEMA_DEPTH, schema))
    return fault('too_deep', `is nested deeper than ${String(MAX_SCHEMA_DEPTH)} levels`);
  if (hasInfiniteNumber(schema))
    return fault('out_of_range', 'contains a number outside the range of a double');
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_SCHEMA_BYTES)
    return fault('too_long', 'must be at most 64 KiB');
  return dialectOf(schema)
    ? undefined
    : fault('invalid_value', `$schema must be one of ${DIALECT_NAMES.join(', ')}, or be omitted`);
}

/** Why a JSON Schema, which `schemaFormFault` has accepted, cannot be used; undefined if it can. It takes up to half a second. */
export function compileFault(schema: unknown): string | undefined {
  const meta = metaValidatorOf(dialectOf(schema) ?? DEFAULT_DIALECT);
  return faultWithTimeout(() => faultOf(schema, meta));
}

function faultOf(schema: unknown, meta: Ajv): string | undefined {
  if (meta.validateSchema(schema as object | boolean) !== true) return metaFault(meta.errors ?? []);
  // Ajv may follow an endless reference until the stack overflows, which takes a hundred times as long.
  if (hasReferenceCycle(schema)) return ENDLESS_REFERENCE;
  const stored = canonicalSchemaText(schema);
  const validate = compileSchema(JSON.parse(stored));
  // A schema that times out for one of these values is not usable for any value.
  for (const value of SAMPLE_VALUES) validate(value);
  cacheAcceptedSchema(stored, validate);
  return undefined;
}

/**
 * Compiles a small schema of each dialect, without a timeout. Code that runs for the first time is slow, and the first
 * schemas of users would spend their timeout on it.
 */
export function warmUp(): void {
  for (const dialect of DIALECT_NAMES.filter(isDialect)) {
    const schema = { $schema: dialect, properties: { a: { type: 'string', pattern: '^a', format: 'date' } } };
    faultOf(schema, metaValidatorOf(dialect));
  }
}

const ENDLESS_REFERENCE = 'has a $ref cycle that never ends';
const SAMPLE_VALUES: readonly unknown[] = [null, true, 0, '', [], {}];

/** JavaScript parses a number of more than 308 digits as Infinity, which JSON cannot represent. */
const hasInfiniteNumber = (value: unknown): boolean =>
  typeof value === 'number'
    ? !Number.isFinite(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(hasInfiniteNumber);

function faultWithTimeout(check: () => string | undefined): string | undefined {
  try {
    return runWithTimeout(ACCEPT_TIMEOUT_MS, check);
  } catch (error) {
    if (error instanceof VmTimeoutError) {
      // The interruption can have left a validator in an inconsistent state.
      metaValidators.clear();
      return `exceeded the timeout for compiling a schema (${String(ACCEPT_TIMEOUT_MS)} ms)`;
    }
    if (isStackOverflow(error)) return ENDLESS_REFERENCE;
    if (isNativeError(error) || error instanceof Error) return rewordAjvMessage(error.message);
    throw error;
  }
}

/** Whether an error is an overflow of the call stack. */
export const isStackOverflow = (error: unknown): boolean =>
  isNativeError(error) && error.name === 'RangeError';

function dialectOf(schema: unknown): Dialect | undefined {
  if (typeof schema !== 'object' || schema === null || !('$schema' in schema)) return DEFAULT_DIALECT;
  const { $schema: value } = schema;
  if (typeof value !== 'string') return undefined;
  const uri = value.replace(/#$/, '');
  return isDialect(uri) ? uri : undefined;
}

function metaValidatorOf(dialect: Dialect): Ajv {
  const cached = metaValidators.get(dialect);
  if (cached) return cached;
  const created = metaValidator(dialect);
  // Compile the meta-schema now, so that it does not count towards the timeout of the first schema.
  created.getSchema(dialect);
  metaValidators.set(dialect, created);
  return created;
}

function metaFault(errors: readonly ErrorObject[]): string {
  // The first error is the innermost one. The later ones report that the enclosing schema matches no alternative.
  const [error] = errors;
  if (!error) return 'is not a valid JSON Schema';
  const at = error.instancePath === '' ? '' : `at ${error.instancePath}: `;
  return `${at}${messageOf(error)}`;
}

/** Picks the most useful one of the errors that Ajv reports for a value. */
export function toSchemaViolation(errors: readonly ErrorObject[]): SchemaViolation {
  // The last error is the outermost one: "no alternative matches" instead of why the first alternative does not match.
  // For `if`, the error inside `then` or `else` is more precise.
  const error = errors.filter(({ keyword }) => keyword !== 'if').at(-1);
  if (!error) return { path: '', message: 'is not valid' };
  const types = error.keyword === 'type' ? [error.params['type'] as string | string[]].flat() : undefined;
  return { path: error.instancePath, message: messageOf(error), ...(types && { types }) };
}

/** Messages quote at most this many characters of an error's parameters. */
const MAX_DETAIL_LENGTH = 200;

function messageOf({ keyword, message = 'is not valid', params }: ErrorObject): string {
  const parameters: Record<string, unknown> = params;
  const detail = parameters[DETAIL_PARAMETERS[keyword] ?? ''];
  if (detail === undefined) return message;
  const text = Array.isArray(detail)
    ? detail.map((one) => JSON.stringify(one)).join(', ')
    : JSON.stringify(detail);
  return `${message}: ${text.length > MAX_DETAIL_LENGTH ? `${text.slice(0, MAX_DETAIL_LENGTH)}…` : text}`;
}

/** By keyword, the error parameter that Ajv's message omits. */
const DETAIL_PARAMETERS: Readonly<Record<string, string>> = {
  enum: 'allowedValues',
  const: 'allowedValue',
  additionalProperties: 'additionalProperty',
  unevaluatedProperties: 'unevaluatedProperty',
  propertyNames: 'propertyName',
};
