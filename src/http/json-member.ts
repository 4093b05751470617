import type { Type } from '@nestjs/common';
import { ValidateBy, ValidateIf } from 'class-validator';
import { JsonInput } from '../database/json-input';

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

export function readersOf(dto: Type): ReadonlyMap<string, Reader> {
  return (Reflect.getMetadata(READERS, dto) as ReadonlyMap<string, Reader> | undefined) ?? new Map();
}

/** Marks a DTO member as JSON of the user. Its value is a `JsonInput`. */
export function JsonMember(): PropertyDecorator {
  return (target, property) => {
    const known = jsonMembersOf(target.constructor as Type);
    Reflect.defineMetadata(MEMBERS, [...known, String(property)], target.constructor);
  };
}

/** Copies the `JsonMember` and `ReadsWith` declarations of a type to a type that is derived from it. */
export function copyJsonMembers(from: Type, to: Type): void {
  Reflect.defineMetadata(MEMBERS, jsonMembersOf(from), to);
  Reflect.defineMetadata(READERS, readersOf(from), to);
}

export function jsonMembersOf(dto: Type): readonly string[] {
  return (Reflect.getMetadata(MEMBERS, dto) as readonly string[] | undefined) ?? [];
}

/** The member may be absent; unlike class-validator's `IsOptional`, `null` is not absent. */
export const Optional = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** The member may be absent or null. */
export const Nullable = (): PropertyDecorator =>
  ValidateIf((_, value) => value !== undefined && value !== null);

/** Checks a member. @param errorOf returns an error message; undefined for a valid value */
export function JsonCheck(name: string, errorOf: (value: unknown) => string | undefined): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value) => errorOf(value instanceof JsonInput ? value.parsed : value) === undefined,
      defaultMessage: (args) => {
        const value: unknown = args?.value;
        return errorOf(value instanceof JsonInput ? value.parsed : value) ?? '';
      },
    },
  });
}
