import { isObject } from '../core/context/variable-keys';
import type { DetailCode, ErrorDetail, Fault } from '../core/error-details';
import { fault } from '../core/error-details';
import { validationError } from '../core/errors';
import { splitJsonArray, splitJsonObject } from '../core/json/json-text';
import { JsonInput } from '../database/json-input';
import { PREVIEW_PARAMETERS } from '../http/dry-run';
import { hasOtherBraces, NAME, referencesIn, type Referring } from './references';

/** The maximum number of operations in one request. */
export const MAX_OPERATIONS = 1_000;

/** The maximum length of a path with its query. */
export const MAX_PATH_LENGTH = 8_192;

export const METHODS = ['POST', 'PUT', 'DELETE'] as const;

/** One write of a batch. */
export interface BatchOperation extends Referring {
  /** The name by which later operations refer to what it creates. */
  readonly id: string | undefined;
  readonly method: (typeof METHODS)[number];
  /** The headers with preconditions. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Why a value is no array of operations; undefined if it is one. */
export function operationsError(value: unknown): Fault | undefined {
  const message = `must be an array of 1 to ${String(MAX_OPERATIONS)} operations`;
  if (!Array.isArray(value)) return fault('invalid_type', message);
  if (value.length === 0) return fault('too_short', message);
  return value.length > MAX_OPERATIONS ? fault('too_long', message) : undefined;
}

type Check = (value: unknown) => Fault | undefined;

const textCheck =
  (isValid: (text: string) => boolean, message: string): Check =>
  (value) => {
    if (typeof value !== 'string') return fault('invalid_type', message);
    return isValid(value) ? undefined : fault('invalid_value', message);
  };

/** What a header can contain. */
const isHeader = (text: string): boolean => /^[\x20-\x7e\x80-\xff]*$/.test(text);

const CHECKS: Readonly<Record<string, Check>> = {
  id: textCheck(
    (text) => new RegExp(`^${NAME}$`).test(text),
    'must begin with a letter and have at most 64 letters, digits, - and _',
  ),
  method: textCheck(
    (text) => (METHODS as readonly string[]).includes(text),
    `must be one of ${METHODS.join(', ')}`,
  ),
  path: textCheck(
    (text) => text.length <= MAX_PATH_LENGTH && /^\/v1\/[\x21-\x7e]*$/.test(text) && !text.includes('#'),
    `must be a path that begins with /v1/, percent-encoded, of at most ${String(MAX_PATH_LENGTH)} characters`,
  ),
  body: () => undefined,
  if_match: textCheck(isHeader, 'must be the value of an If-Match header'),
  if_none_match: textCheck(isHeader, 'must be the value of an If-None-Match header'),
};

/** Like `parseOperations`, for the text of an array that was valid before, such as the operations of a proposal. */
export const parseStoredOperations = (text: string): BatchOperation[] =>
  parseOperations(JsonInput.at(`{"operations":${text}}`, ['operations'], JSON.parse(text)));

const REQUIRED = ['method', 'path'];

/**
 * Parses the operations of a request, and checks their references.
 * @param operations those of its body, which `operationsError` has checked
 * @throws InventoryError 400 with a detail for each error
 */
export function parseOperations({ parsed, text }: JsonInput): BatchOperation[] {
  const items = parsed as readonly unknown[];
  const details = items.flatMap((item, index) =>
    operationErrors(item).map(({ field, ...error }) => ({ field: fieldOf(index, field), ...error })),
  );
  if (details.length > 0) throw validationError(details);
  const texts = splitJsonArray(splitJsonObject(text).get('operations') ?? '[]');
  const operations = items.map((item, index) =>
    toOperation(item as Readonly<Record<string, string>>, splitJsonObject(texts[index] ?? '{}').get('body')),
  );
  const faulty = referenceErrors(operations);
  if (faulty.length > 0) throw validationError(faulty);
  return operations;
}

const fieldOf = (index: number, field?: string): string =>
  `operations[${String(index)}]${field === undefined ? '' : `.${field}`}`;

type OperationError = Fault & { readonly field?: string };

function operationErrors(item: unknown): OperationError[] {
  if (!isObject(item)) return [fault('invalid_type', 'must be an object')];
  const missing = REQUIRED.filter((member) => item[member] === undefined).map((field) => ({
    field,
    ...fault('required', 'is required'),
  }));
  const faulty = Object.entries(item).flatMap(([field, value]): OperationError[] => {
    if (!Object.hasOwn(CHECKS, field))
      return [{ field, ...fault('unknown_member', 'is not a member that can be set here') }];
    const error = CHECKS[field]?.(value);
    return error ? [{ field, ...error }] : [];
  });
  const { path } = item;
  const query = new URLSearchParams(typeof path === 'string' ? path.split('?').slice(1).join('?') : '');
  const ofWhole = PREVIEW_PARAMETERS.filter((name) => query.has(name)).map((name) => ({
    field: 'path',
    ...fault('inconsistent', `must not have ${name}: it is a parameter of the whole request`),
  }));
  return [...missing, ...faulty, ...ofWhole];
}

function toOperation(item: Readonly<Record<string, string>>, body: string | undefined): BatchOperation {
  const { id, method, path = '', if_match, if_none_match } = item;
  return {
    id,
    method: method as BatchOperation['method'],
    path,
    body: body?.trim(),
    headers: {
      ...(if_match === undefined ? {} : { 'if-match': if_match }),
      ...(if_none_match === undefined ? {} : { 'if-none-match': if_none_match }),
    },
  };
}

/** The errors of names and of references: an operation can refer to earlier ones only. */
function referenceErrors(operations: readonly BatchOperation[]): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const names = new Set<string>();
  const add = (index: number, field: string, code: DetailCode, message: string) => {
    details.push({ field: fieldOf(index, field), code, message });
  };
  for (const [index, operation] of operations.entries()) {
    for (const { field, name } of referencesIn(operation))
      if (!names.has(name))
        add(index, field, 'not_found', `refers to ${name}.id, but no earlier operation has the id ${name}`);
    const { id, path } = operation;
    if (hasOtherBraces(path))
      add(
        index,
        'path',
        'invalid_value',
        'has a brace that is no reference: {name.id} is one, as a whole segment',
      );
    if (id === undefined) continue;
    if (names.has(id)) add(index, 'id', 'duplicate', 'is the id of an earlier operation');
    names.add(id);
  }
  return details;
}
