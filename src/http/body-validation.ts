import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import type { Request } from 'express';
import { InventoryError, type ErrorDetail } from '../core/errors/inventory-error';
import { batchError, type BatchItemError } from '../core/errors/batch-error';
import { validationError } from '../core/errors/validation-error';
import { isDeeperThan } from '../core/json/json-depth';
import { splitJsonArray } from '../core/json/json-elements';
import { JsonInput } from '../database/json-input';
import { bodyText } from './request-body';
import { jsonMembersOf, readersOf } from './json-member';

type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** More than any member needs that is not JSON of the user's own. */
const DEEPEST_MEMBER = 8;

const declarations = new Map<Type, ReadonlySet<string>>();

/** The members that a DTO declares. */
function declaredMembers(dto: Type): ReadonlySet<string> {
  let declared = declarations.get(dto);
  if (!declared) {
    const checks = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
    declared = new Set(checks.map((check) => check.propertyName));
    declarations.set(dto, declared);
  }
  return declared;
}

function detailsOf(errors: readonly ValidationError[]): ErrorDetail[] {
  return errors.flatMap(({ property: field, constraints }) =>
    Object.values(constraints ?? {}).map((message) => ({ field, message })),
  );
}

/**
 * What the library below cannot be given: it passes over members that are named as something of every object
 * (`constructor`, `toString`), and checks walk what is nested with a call for each level.
 */
function faultsOfMembers(body: JsonObject, dto: Type): ErrorDetail[] {
  const declared = declaredMembers(dto);
  const free = jsonMembersOf(dto);
  return Object.entries(body).flatMap(([field, value]) => {
    if (!declared.has(field)) return [{ field, message: 'is not a member that can be set here' }];
    if (!free.includes(field) && isDeeperThan(DEEPEST_MEMBER, value))
      return [{ field, message: 'is nested too deeply' }];
    return [];
  });
}

/**
 * Checks a JSON body against a DTO. Members that are JSON of the user's own reach the DTO as `JsonInput`, untouched.
 * @throws InventoryError 400 with one detail for each fault
 */
export function validBody<T extends object>(dto: Type<T>, body: unknown, text: string): T {
  if (!isObject(body)) throw new InventoryError('invalid_request', 'The body must be a JSON object.');
  const details = faultsOfMembers(body, dto);
  const refused = new Set(details.map(({ field }) => field));
  const sound = Object.entries(body).filter(([name]) => !refused.has(name));
  const [free, readers] = [jsonMembersOf(dto), readersOf(dto)];
  const instance = new dto();
  for (const [name, value] of sound)
    Object.defineProperty(instance, name, {
      value: free.includes(name) ? JsonInput.at(text, [name], value) : (readers.get(name)?.(value) ?? value),
      enumerable: true,
      writable: true,
    });
  const errors = validateSync(instance, { forbidUnknownValues: true });
  details.push(...detailsOf(errors).filter(({ field }) => !refused.has(field)));
  if (details.length === 0) return instance;
  throw validationError(details);
}

/** The request's body, checked against a DTO. */
export const ValidBody = createParamDecorator((dto: Type<object>, context: ExecutionContext): object => {
  const request = context.switchToHttp().getRequest<Request>();
  return validBody(dto, request.body as unknown, bodyText(request));
});

/** How many resources one request creates at most. */
export const MAX_ITEMS = 1_000;

/** A body that is one object, or an array of such. */
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

/** @throws InventoryError 400 with one detail for each fault of each item */
function validItems(dto: Type<object>, items: readonly unknown[], texts: readonly string[]): object[] {
  if (items.length === 0 || items.length > MAX_ITEMS)
    throw new InventoryError('invalid_request', `The array must have 1 to ${String(MAX_ITEMS)} items.`);
  const valid: object[] = [];
  const faults: BatchItemError[] = [];
  for (const [place, item] of items.entries()) {
    try {
      valid.push(validBody(dto, item, texts[place] ?? ''));
    } catch (error) {
      if (!(error instanceof InventoryError)) throw error;
      faults.push({ index: place, error });
    }
  }
  if (faults.length > 0) throw batchError(faults);
  return valid;
}

/** The same where the body may be left out: that is an empty object. */
export const OptionalBody = createParamDecorator((dto: Type<object>, context: ExecutionContext): object => {
  const request = context.switchToHttp().getRequest<Request>();
  return request.body === undefined ? new dto() : validBody(dto, request.body as unknown, bodyText(request));
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
