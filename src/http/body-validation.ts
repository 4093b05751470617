import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import {
  getMetadataStorage,
  validateSync,
  type ValidationError,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import type { Request } from 'express';
import type { DetailCode, ErrorDetail, Fault } from '../core/error-details';
import { fault } from '../core/error-details';
import { InventoryError, itemsError, type ItemError, validationError } from '../core/errors';
import { isDeeperThan, splitJsonArray } from '../core/json/json-text';
import { JsonInput } from '../database/json-input';
import { fulfilsChecks } from './compiled-checks';
import { bodyText } from './request-body';

const MEMBERS = Symbol('JSON members');

const READERS = Symbol('readers of members');

type Reader = (value: unknown) => unknown;

/**
 * Converts a DTO member before validation. An inconvertible value must be returned unchanged, for the member's check.
 */
export function ReadsWith(read: Reader): PropertyDecorator {
  return (target, property) => {
    const known = readersOf(target.constructor as Type);
    Reflect.defineMetadata(READERS, new Map([...known, [String(property), read]]), target.constructor);
  };
}

function readersOf(dto: Type): ReadonlyMap<string, Reader> {
  return (Reflect.getMetadata(READERS, dto) as ReadonlyMap<string, Reader> | undefined) ?? new Map();
}

/** Marks a DTO member as JSON of the user. Its value is a `JsonInput`. */
export function JsonMember(): PropertyDecorator {
  return (target, property) => {
    const known = jsonMembersOf(target.constructor as Type);
    Reflect.defineMetadata(MEMBERS, [...known, String(property)], target.constructor);
  };
}

/**
 * Copies the `JsonMember` and `ReadsWith` declarations of a type to a type that is derived from it.
 * @param without the members that the derived type does not have
 */
export function copyJsonMembers(from: Type, to: Type, without: readonly string[] = []): void {
  const jsonMembers = jsonMembersOf(from).filter((name) => !without.includes(name));
  const readers = [...readersOf(from)].filter(([name]) => !without.includes(name));
  Reflect.defineMetadata(MEMBERS, jsonMembers, to);
  Reflect.defineMetadata(READERS, new Map(readers), to);
}

function jsonMembersOf(dto: Type): readonly string[] {
  return (Reflect.getMetadata(MEMBERS, dto) as readonly string[] | undefined) ?? [];
}

/** The member may be absent; unlike class-validator's `IsOptional`, `null` is not absent. */
export const Optional = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** The member may be absent or null. */
export const Nullable = (): PropertyDecorator =>
  ValidateIf((_, value) => value !== undefined && value !== null);

/** Checks a member. @param errorOf returns what is wrong with a value; undefined if it is valid */
export function JsonCheck(name: string, errorOf: (value: unknown) => Fault | undefined): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value) => errorOf(value instanceof JsonInput ? value.parsed : value) === undefined,
      defaultMessage: (args) => {
        const value: unknown = args?.value;
        const error = errorOf(value instanceof JsonInput ? value.parsed : value);
        return error ? constraintText(error) : '';
      },
    },
  });
}

/** Why a value is not a boolean; undefined if it is one. */
export const booleanError = (value: unknown): Fault | undefined =>
  typeof value === 'boolean' ? undefined : fault('invalid_type', 'must be true or false');

/** A member that is true or false. */
export const BooleanCheck = (): PropertyDecorator => JsonCheck('boolean', booleanError);

/** The message of class-validator is one text, which begins with the code. */
const constraintText = ({ code, message }: Fault): string => `${code} ${message}`;

function parseConstraint(text: string): Fault {
  const end = text.indexOf(' ');
  return { code: text.slice(0, end) as DetailCode, message: text.slice(end + 1) };
}

type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The maximum nesting of members that are not JSON of the user. No such member needs more. */
const MAX_MEMBER_DEPTH = 8;

/** What a DTO declares. It is read once, because each lookup of metadata visits all types from which the DTO is derived. */
interface Declarations {
  readonly members: ReadonlySet<string>;
  readonly jsonMembers: ReadonlySet<string>;
  readonly readers: ReadonlyMap<string, Reader>;
}

const declarations = new Map<Type, Declarations>();

function declarationsOf(dto: Type): Declarations {
  let declared = declarations.get(dto);
  if (!declared) {
    const checks = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
    const members = new Set(checks.map((check) => check.propertyName));
    declared = { members, jsonMembers: new Set(jsonMembersOf(dto)), readers: readersOf(dto) };
    declarations.set(dto, declared);
  }
  return declared;
}

function detailsOf(errors: readonly ValidationError[]): ErrorDetail[] {
  return errors.flatMap(({ property: field, constraints, value }) =>
    Object.values(constraints ?? {}).map((text) => {
      const { code, message } = parseConstraint(text);
      return { field, code: value === undefined ? 'required' : code, message };
    }),
  );
}

/**
 * Checks that must run before class-validator: it ignores members with names of `Object.prototype` (`constructor`,
 * `toString`), and some checks recurse into nested values.
 */
function memberErrors(body: JsonObject, { members, jsonMembers }: Declarations): ErrorDetail[] {
  return Object.entries(body).flatMap(([field, value]): ErrorDetail[] => {
    if (!members.has(field))
      return [{ field, code: 'unknown_member', message: 'is not a member that can be set here' }];
    if (!jsonMembers.has(field) && isDeeperThan(MAX_MEMBER_DEPTH, value))
      return [{ field, code: 'too_deep', message: 'is nested too deeply' }];
    return [];
  });
}

/**
 * Checks a JSON body against a DTO. Members that are JSON of the user reach the DTO unchanged, as `JsonInput`.
 * @throws InventoryError 400 with one detail for each error
 */
export function validBody<T extends object>(dto: Type<T>, body: unknown, text: string): T {
  if (!isObject(body)) throw notAnObject(body);
  const declared = declarationsOf(dto);
  const { jsonMembers, readers } = declared;
  const details = memberErrors(body, declared);
  const rejected = new Set(details.map(({ field }) => field));
  const instance = new dto();
  // Only declared members are assigned, so none is a setter of `Object.prototype`.
  for (const [name, value] of Object.entries(body))
    if (!rejected.has(name))
      (instance as JsonObject)[name] = jsonMembers.has(name)
        ? JsonInput.at(text, [name], value)
        : (readers.get(name)?.(value) ?? value);
  const errors = fulfilsChecks(instance) ? [] : validateSync(instance, { forbidUnknownValues: true });
  details.push(...detailsOf(errors).filter(({ field }) => !rejected.has(field)));
  if (details.length === 0) return instance;
  throw validationError(details);
}

function notAnObject(body: unknown): InventoryError {
  const found = body === undefined ? 'there is none' : `this is ${jsonTypeOf(body)}`;
  return InventoryError.invalidBody(
    body === undefined ? 'required' : 'invalid_type',
    `The body must be a JSON object, but ${found}.`,
  );
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return `a ${typeof value}`;
}

/** The request's body, checked against a DTO. */
export const ValidBody = createParamDecorator((dto: Type<object>, context: ExecutionContext): object => {
  const request = context.switchToHttp().getRequest<Request>();
  return validBody(dto, request.body as unknown, bodyText(request));
});

/** The maximum number of resources that one request creates. */
export const MAX_ITEMS = 1_000;

/** A body that is one object or an array of objects. */
export type OneOrMany<T> = { readonly one: T } | { readonly many: readonly T[] };

/** The request's body, an object or an array of objects, each checked against a DTO. */
export const ValidBodies = createParamDecorator(
  (dto: Type<object>, context: ExecutionContext): OneOrMany<object> => {
    const request = context.switchToHttp().getRequest<Request>();
    const body = request.body as unknown;
    const text = bodyText(request);
    return Array.isArray(body)
      ? { many: validItems(dto, body, splitJsonArray(text)) }
      : { one: validBody(dto, body, text) };
  },
);

/** @throws InventoryError 400 with one detail for each error of each item */
function validItems(dto: Type<object>, items: readonly unknown[], texts: readonly string[]): object[] {
  if (items.length === 0 || items.length > MAX_ITEMS)
    throw InventoryError.invalidBody(
      items.length === 0 ? 'too_short' : 'too_long',
      `The array must have 1 to ${String(MAX_ITEMS)} items.`,
    );
  const valid: object[] = [];
  const itemErrors: ItemError[] = [];
  for (const [index, item] of items.entries()) {
    try {
      valid.push(validBody(dto, item, texts[index] ?? ''));
    } catch (error) {
      if (!(error instanceof InventoryError)) throw error;
      itemErrors.push({ index, error });
    }
  }
  if (itemErrors.length > 0) throw itemsError(itemErrors);
  return valid;
}

/** Like `ValidBody`, but the body is optional. A missing body is an empty object. */
export const OptionalBody = createParamDecorator((dto: Type<object>, context: ExecutionContext): object => {
  const request = context.switchToHttp().getRequest<Request>();
  return request.body === undefined ? new dto() : validBody(dto, request.body as unknown, bodyText(request));
});

/** Checks a body that says nothing: absent, or `{}`. See `ApiEmptyBody`. @throws InventoryError 400 */
export const EmptyBody = createParamDecorator((_: unknown, context: ExecutionContext): undefined => {
  const body: unknown = context.switchToHttp().getRequest<Request>().body;
  if (body === undefined || (isObject(body) && Object.keys(body).length === 0)) return undefined;
  throw InventoryError.invalidBody('invalid_type', 'The request body must be empty or {}.');
});

/** The request's body as any JSON value; undefined without a body. */
export const JsonBody = createParamDecorator(
  (_: unknown, context: ExecutionContext): JsonInput | undefined => {
    const request = context.switchToHttp().getRequest<Request>();
    return request.body === undefined
      ? undefined
      : JsonInput.at(bodyText(request), [], request.body as unknown);
  },
);
