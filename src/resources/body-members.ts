import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { characterCount, oneLineError } from '../core/text';
import { variableMap } from '../http/api-schemas';
import { JsonCheck, JsonMember, Nullable, Optional } from '../http/body-validation';
import { variablesError } from '../core/context/variable-keys';
import { canWrite, assertCanWriteVariables, assertCanWrite } from '../auth/access';
import type { RequestContext } from '../core/context/request-context';
import type { JsonInput } from '../database/json-input';
import { variableKeys } from '../variables/variables.service';
import { fault, type Fault } from '../core/error-details';

/** Why a text is invalid; undefined if it is valid. */
export function textError(value: unknown, maxLength: number, minLength = 1): Fault | undefined {
  if (typeof value !== 'string') return fault('invalid_type', 'must be a string');
  const length = characterCount(value);
  if (length < minLength || length > maxLength)
    return fault(
      length < minLength ? 'too_short' : 'too_long',
      `must have ${String(minLength)} to ${String(maxLength)} characters`,
    );
  if (value.includes('\u0000') || !value.isWellFormed())
    return fault('invalid_format', 'must not contain NUL or lone surrogates');
  return undefined;
}

const MAX_NAME_LENGTH = 255;
const MAX_NOTE_LENGTH = 10_000;

/** The error of a text; undefined if it is valid. */
type TextCheck = (value: unknown) => Fault | undefined;

/** Why a name of one line is invalid; undefined if it is valid. */
export function nameError(value: unknown): Fault | undefined {
  const error = textError(value, MAX_NAME_LENGTH);
  if (error !== undefined) return error;
  const lineError = oneLineError(value as string);
  return lineError === undefined ? undefined : fault('invalid_format', lineError);
}

/** What is wrong with null, which is also an unset cell of a table, as the value of a member that always has one. */
export const CANNOT_BE_UNSET = fault('invalid_type', 'must have a value, and cannot be unset');

/** A check of a member that always has a value. */
export const rejectsNull =
  (check: (value: unknown) => Fault | undefined): ((value: unknown) => Fault | undefined) =>
  (value) =>
    value === null ? CANNOT_BE_UNSET : check(value);

/** A required name or other short text. */
export const RequiredText = (
  example: string,
  description?: string,
  check: TextCheck = nameError,
): PropertyDecorator =>
  applyDecorators(
    JsonCheck('name', rejectsNull(check)),
    ApiProperty({
      type: String,
      example,
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
      ...(description === undefined ? {} : { description }),
    }),
  );

/** An optional short text, which must not be null. */
export const OptionalText = (
  example: string,
  description?: string,
  check: TextCheck = nameError,
): PropertyDecorator =>
  applyDecorators(
    Optional(),
    JsonCheck('name', rejectsNull(check)),
    ApiPropertyOptional({
      type: String,
      example,
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
      ...(description === undefined ? {} : { description }),
    }),
  );

/** An optional short text, which may be null. */
export const NullableText = (
  example: string,
  description?: string,
  check: TextCheck = nameError,
): PropertyDecorator =>
  applyDecorators(
    Nullable(),
    JsonCheck('name', check),
    ApiPropertyOptional({
      type: String,
      nullable: true,
      example,
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
      ...(description === undefined ? {} : { description }),
    }),
  );

/** The reason of the change, if the request has no `X-Change-Reason`. */
export const Note = (): PropertyDecorator =>
  applyDecorators(
    Nullable(),
    JsonCheck('note', (value) => textError(value, MAX_NOTE_LENGTH, 0)),
    ApiPropertyOptional({
      type: String,
      nullable: true,
      example: 'CHG-1042: new rack',
      maxLength: MAX_NOTE_LENGTH,
      description: 'The reason of the change, if the request has no `X-Change-Reason`.',
    }),
  );

/** An optional longer text, which may be null. */
export const Description = (example: string, description: string): PropertyDecorator =>
  applyDecorators(
    Nullable(),
    JsonCheck('description', (value) => textError(value, MAX_NOTE_LENGTH, 0)),
    ApiPropertyOptional({ type: String, nullable: true, example, maxLength: MAX_NOTE_LENGTH, description }),
  );

const isId = () =>
  JsonCheck('id', (value) =>
    Number.isSafeInteger(value) ? undefined : fault('invalid_type', 'must be an integer'),
  );

/** The required id of another resource. */
export const RequiredId = (description: string): PropertyDecorator =>
  applyDecorators(isId(), ApiProperty({ type: 'integer', format: 'int64', example: 1, description }));

/** The optional id of another resource. */
export const OptionalId = (description: string): PropertyDecorator =>
  applyDecorators(
    Optional(),
    isId(),
    ApiPropertyOptional({ type: 'integer', format: 'int64', example: 1, description }),
  );

/** The id of another resource; null for none. */
export const NullableId = (description: string): PropertyDecorator =>
  applyDecorators(
    Nullable(),
    isId(),
    ApiPropertyOptional({ type: 'integer', format: 'int64', nullable: true, example: 1, description }),
  );

/** Variables. They are stored as JSON without losing digits of numbers. */
export const VariablesMember = (): PropertyDecorator =>
  applyDecorators(
    Optional(),
    JsonMember(),
    JsonCheck('variables', variablesError),
    ApiPropertyOptional({
      ...variableMap,
      example: { ntp_servers: ['10.0.0.1'], rack: { row: 4 } },
      description: 'Keys and values to set. Other variables do not change.',
    }),
  );

interface VariablesOfBody {
  readonly variables?: JsonInput | undefined;
}

/**
 * Checks whether the caller's roles allow an update: members require the collection's role; variables require that role
 * or the role for variables. A body with only a note requires the collection's role, because `note` is a member.
 * @throws InventoryError 403
 */
export function assertCanWriteBody(
  ctx: RequestContext,
  collection: string,
  body: VariablesOfBody & { readonly note?: string | null | undefined },
): void {
  const { principal } = ctx;
  if (canWrite(principal, collection)) {
    assertCanWriteVariablesOf(ctx, collection, body);
    return;
  }
  const members = Object.entries(body).filter(([, value]) => value !== undefined);
  if (members.some(([name]) => name !== 'variables') || members.length === 0)
    assertCanWrite(principal, collection);
  assertCanWriteVariables(ctx, collection, variableKeys(body.variables));
}

/**
 * Checks whether the caller may write the variables of a new resource. The guard has already checked the collection's
 * role, which does not include private variables.
 * @throws InventoryError 403
 */
export function assertCanWriteVariablesOf(
  ctx: RequestContext,
  collection: string,
  body: VariablesOfBody,
): void {
  const keys = variableKeys(body.variables);
  if (keys.length > 0) assertCanWriteVariables(ctx, collection, keys);
}
