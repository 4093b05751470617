import type { Type } from '@nestjs/common';
import { ValidateBy, ValidateIf } from 'class-validator';
import { JsonInput } from '../database/json-input';

const MEMBERS = Symbol('JSON members');

const READERS = Symbol('readers of members');

type Reader = (value: unknown) => unknown;

/** How a DTO member is made of what came; what cannot be made is left for the member's check to refuse. */
export function ReadsWith(read: Reader): PropertyDecorator {
  return (target, property) => {
    const known = readersOf(target.constructor as Type);
    Reflect.defineMetadata(READERS, new Map([...known, [String(property), read]]), target.constructor);
  };
}

export function readersOf(dto: Type): ReadonlyMap<string, Reader> {
  return (Reflect.getMetadata(READERS, dto) as ReadonlyMap<string, Reader> | undefined) ?? new Map();
}

/** Marks a DTO member as JSON of the user's own: it is kept as `JsonInput`. */
export function JsonMember(): PropertyDecorator {
  return (target, property) => {
    const known = jsonMembersOf(target.constructor as Type);
    Reflect.defineMetadata(MEMBERS, [...known, String(property)], target.constructor);
  };
}

/** Lets a type that is made of another one have its members as the other has them: as JSON, or as they are read. */
export function storeJsonMembers(from: Type, to: Type): void {
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

/** A check of a JSON member that says itself what is wrong: `undefined` is content. */
export function JsonCheck(name: string, fault: (value: unknown) => string | undefined): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value) => fault(value instanceof JsonInput ? value.parsed : value) === undefined,
      defaultMessage: (args) => {
        const value: unknown = args?.value;
        return fault(value instanceof JsonInput ? value.parsed : value) ?? '';
      },
    },
  });
}
