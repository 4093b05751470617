import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import type { Request } from 'express';
import { InventoryError, type ErrorDetail } from '../errors/inventory-error';
import { JsonInput } from '../json/json-input';
import { bodyText } from './request-body';
import { jsonMembersOf } from './json-member';

type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function detailsOf(errors: readonly ValidationError[], prefix = ''): ErrorDetail[] {
  return errors.flatMap((error) => {
    const field = prefix + error.property;
    const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => ({
      field,
      message:
        rule === 'whitelistValidation'
          ? 'is not a member that can be set here'
          : message.replace(`${error.property} `, ''),
    }));
    return [...own, ...detailsOf(error.children ?? [], `${field}.`)];
  });
}

/**
 * Checks a JSON body against a DTO. Members that are JSON of the user's own reach the DTO as `JsonInput`, untouched.
 * @throws InventoryError 400 with one detail for each fault
 */
export function validBody<T extends object>(dto: Type<T>, body: unknown, text: string): T {
  if (!isObject(body)) throw new InventoryError('invalid_request', 'The body must be a JSON object.');
  const members: JsonObject = Object.assign(Object.create(null) as JsonObject, body);
  const jsonMembers = jsonMembersOf(dto).filter((name) => Object.hasOwn(body, name));
  for (const name of jsonMembers) Reflect.deleteProperty(members, name);
  // `__proto__` as a member would set the instance's prototype instead of being refused as unknown.
  if (Object.hasOwn(body, '__proto__'))
    throw InventoryError.invalid('__proto__', 'is not a member that can be set here');
  const instance = plainToInstance(dto, { ...members });
  for (const name of jsonMembers)
    Object.defineProperty(instance, name, {
      value: JsonInput.at(text, [name], body[name]),
      enumerable: true,
      writable: true,
    });
  const errors = validateSync(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
  });
  if (errors.length > 0) {
    const details = detailsOf(errors);
    throw new InventoryError(
      'invalid_request',
      details.map((d) => `${d.field}: ${d.message}`).join('; '),
      details,
    );
  }
  return instance;
}

/** The request's body, checked against a DTO. */
export const ValidBody = createParamDecorator((dto: Type<object>, context: ExecutionContext): object => {
  const request = context.switchToHttp().getRequest<Request>();
  return validBody(dto, request.body as unknown, bodyText(request));
});

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
