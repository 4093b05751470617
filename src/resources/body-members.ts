import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { characterCount } from '../core/characters';
import { JsonCheck, JsonMember, Nullable, Optional } from '../http/json-member';
import { variablesError } from '../core/context/variable-key';
import { canWrite, assertCanWriteVariables, assertCanWrite } from '../auth/access';
import type { RequestContext } from '../core/context/request-context';
import type { JsonInput } from '../database/json-input';
import { variableKeys } from '../variables/variables.service';

/** What is wrong with a line of text; undefined if nothing is. */
function textFault(value: unknown, most: number, least = 1): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  const length = characterCount(value);
  if (length < least || length > most) return `must have ${String(least)} to ${String(most)} characters`;
  if (value.includes('\u0000') || !value.isWellFormed()) return 'must not contain NUL or lone surrogates';
  return undefined;
}

const MAX_NAME_LENGTH = 255;
const MAX_NOTE_LENGTH = 10_000;

function nameFault(value: unknown): string | undefined {
  const fault = textFault(value, MAX_NAME_LENGTH);
  if (fault !== undefined) return fault;
  return /\p{Cc}/u.test(value as string) ? 'must not contain control characters' : undefined;
}

/** A name or another short text that must be given. */
export const RequiredText = (example: string, description?: string): PropertyDecorator =>
  applyDecorators(
    JsonCheck('name', nameFault),
    ApiProperty({
      example,
      maxLength: MAX_NAME_LENGTH,
      ...(description === undefined ? {} : { description }),
    }),
  );

/** A short text that may be left out, but not be null. */
export const OptionalText = (example: string, description?: string): PropertyDecorator =>
  applyDecorators(
    Optional(),
    JsonCheck('name', nameFault),
    ApiPropertyOptional({
      example,
      maxLength: MAX_NAME_LENGTH,
      ...(description === undefined ? {} : { description }),
    }),
  );

/** A short text that may be left out or null. */
export const NullableText = (example: string, description?: string): PropertyDecorator =>
  applyDecorators(
    Nullable(),
    JsonCheck('name', nameFault),
    ApiPropertyOptional({
      type: String,
      nullable: true,
      example,
      maxLength: MAX_NAME_LENGTH,
      ...(description === undefined ? {} : { description }),
    }),
  );

/** The note used for governance: the reason of the change, where the header gives none. */
export const Note = (): PropertyDecorator =>
  applyDecorators(
    Nullable(),
    JsonCheck('note', (value) => textFault(value, MAX_NOTE_LENGTH, 0)),
    ApiPropertyOptional({
      type: String,
      nullable: true,
      example: 'CHG-1042: new rack',
      maxLength: MAX_NOTE_LENGTH,
      description: 'Note used for governance; the reason of the change where `X-Change-Reason` gives none.',
    }),
  );

/** A longer text that may be left out or null. */
export const Description = (example: string, description: string): PropertyDecorator =>
  applyDecorators(
    Nullable(),
    JsonCheck('description', (value) => textFault(value, MAX_NOTE_LENGTH, 0)),
    ApiPropertyOptional({ type: String, nullable: true, example, maxLength: MAX_NOTE_LENGTH, description }),
  );

const isId = () =>
  JsonCheck('id', (value) => (Number.isSafeInteger(value) ? undefined : 'must be an integer'));

/** The id of another resource, which must be given. */
export const RequiredId = (description: string): PropertyDecorator =>
  applyDecorators(isId(), ApiProperty({ type: 'integer', format: 'int64', example: 1, description }));

/** The id of another resource, which may be left out. */
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

/** Variables: kept as JSON, digit by digit. */
export const VariablesMember = (): PropertyDecorator =>
  applyDecorators(
    Optional(),
    JsonMember(),
    JsonCheck('variables', variablesError),
    ApiPropertyOptional({
      type: 'object',
      additionalProperties: true,
      example: { ntp_servers: ['10.0.0.1'], rack: { row: 4 } },
      description: 'Keys and values, laid over those that are there.',
    }),
  );

interface VariablesOfBody {
  readonly variables?: JsonInput | undefined;
}

/**
 * Checks an update's body against the roles: members need the collection's role; variables need that or their own.
 * A note alone asks for the collection's role, too: it is a member.
 * @throws InventoryError 403
 */
export function requireBodyWrite(
  ctx: RequestContext,
  collection: string,
  body: VariablesOfBody & { readonly note?: string | null | undefined },
): void {
  const { principal } = ctx;
  if (canWrite(principal, collection)) {
    requireVariablesOfBody(ctx, collection, body);
    return;
  }
  const members = Object.entries(body).filter(([, value]) => value !== undefined);
  if (members.some(([name]) => name !== 'variables') || members.length === 0)
    assertCanWrite(principal, collection);
  assertCanWriteVariables(ctx, collection, variableKeys(body.variables));
}

/**
 * Checks the variables that something is created with: the guard has seen to the collection's role, which does not
 * reach private variables.
 * @throws InventoryError 403
 */
export function requireVariablesOfBody(ctx: RequestContext, collection: string, body: VariablesOfBody): void {
  const keys = variableKeys(body.variables);
  if (keys.length > 0) assertCanWriteVariables(ctx, collection, keys);
}
