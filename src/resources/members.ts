import type { Abstract, Type } from '@nestjs/common';
import { OmitType, PartialType } from '@nestjs/swagger';
import { getMetadataArgsStorage } from 'typeorm';
import {
  type Field,
  identityFields,
  type VariableOwnerEntity,
  versionFields,
} from '../database/resource-mapping';
import { copyJsonMembers } from '../http/body-validation';
import type { ListFilter } from '../lists/list-filter';
import { ResourceView } from './resource.view';

/**
 * A member of a resource. It is declared once, by a decorator of its entity's property: see `member-decorators.ts`. From
 * it follow the classes of responses and request bodies (`View`, `CreateBody`, `PartialBody`), how lists and change
 * records read it (`fieldsOf`), its filter, and its column in the files of imports and exports.
 *
 * The type of the property is the one in request bodies. It is optional if a create request can omit it.
 */
export interface Member {
  readonly name: string;
  readonly type: MemberType;
  /** How it is read. */
  readonly field: Field;
  /** Whether create requests must have it. */
  readonly isRequired: boolean;
  /** The value of a new resource that is created without it; absent: null. */
  readonly default?: boolean;
  /** Its name in the lines of imports and exports; absent: lines do not have it. */
  readonly lineName?: string;
  /** Describes it in responses. */
  readonly inView: PropertyDecorator;
  /** Checks and describes it in create requests; absent: requests cannot set it. */
  readonly inBody?: PropertyDecorator;
  /** Checks and describes it in lines of imports; absent: as in update requests. */
  readonly inLine?: PropertyDecorator;
  /** The query parameter of lists that filters by it. */
  readonly filter?: ListFilter;
}

/** What a member contains, for files. A reference is an id in requests, and a name in files. */
export type MemberType =
  | 'text'
  | 'long text'
  | 'address'
  | 'boolean'
  | 'integer'
  | 'json'
  | 'reference'
  | 'labels'
  | 'special';

/** An entity, which can be abstract. */
export type EntityClass<E = object> = Abstract<E>;

const MEMBERS = Symbol('members');

/** Registers a member of an entity. @param target its prototype */
export function registerMember(target: object, member: Member): void {
  const members = membersOf(target.constructor);
  Reflect.defineMetadata(MEMBERS, [...members, member], target);
}

/** The members of an entity, in the order of responses: those that it inherits come first. */
export const membersOf = (entity: EntityClass): readonly Member[] =>
  (Reflect.getMetadata(MEMBERS, entity.prototype) as Member[] | undefined) ?? [];

/** The members that an entity does not inherit. */
export const ownMembersOf = (entity: EntityClass): readonly Member[] =>
  membersOf(entity).slice(membersOf(parentOf(entity)).length);

/** The entity that another one extends. */
export const parentOf = (entity: EntityClass): EntityClass => Object.getPrototypeOf(entity) as EntityClass;

/** The table of an entity. */
export function tableOf(entity: EntityClass): string {
  const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name;
  if (table === undefined) throw new Error(`${entity.name} has no table`);
  return table;
}

/** How the members of a resource are read, in the order of responses. */
export const fieldsOf = (entity: EntityClass): Record<string, Field> => ({
  ...identityFields,
  ...Object.fromEntries(membersOf(entity).map(({ name, field }) => [name, field])),
  ...versionFields,
});

/** The defaults of the members that a create request does not have. */
export const defaultsFor = (entity: EntityClass, body: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    membersOf(entity)
      .filter(({ name, default: value }) => value !== undefined && Reflect.get(body, name) === undefined)
      .map(({ name, default: value }) => [name, value]),
  );

/** The filters of lists by the members that an entity does not inherit. */
export const filtersOf = (entity: EntityClass): ListFilter[] =>
  ownMembersOf(entity).flatMap(({ filter }) => filter ?? []);

/** The members of an entity that requests and responses have. */
type ApiMembers<E> = Omit<E, keyof VariableOwnerEntity>;

/** The response for an entity. @param Base the response for what it extends */
export function View<E extends object, B extends ResourceView = ResourceView>(
  entity: EntityClass<E>,
  Base: Type<B> = ResourceView as Type<B>,
): Type<B & Required<ApiMembers<E>>> {
  class ViewOfEntity extends (Base as Type<object>) {}
  for (const { name, inView } of ownMembersOf(entity)) inView(ViewOfEntity.prototype, name);
  return ViewOfEntity as Type<B & Required<ApiMembers<E>>>;
}

/**
 * The body of create requests for an entity.
 * @param Base the body for what it extends, or with further members
 * @param order of the description; by default that of the entity
 */
export function CreateBody<E extends object, B extends object = object>(
  entity: EntityClass<E>,
  Base: Type<B> = Object as unknown as Type<B>,
  order?: 'optional first',
): Type<B & Omit<ApiMembers<E>, keyof B>> {
  class BodyOfEntity extends (Base as Type<object>) {}
  const members = [...ownMembersOf(entity)];
  if (order) members.sort((a, b) => Number(a.isRequired) - Number(b.isRequired));
  for (const { name, inBody } of members) inBody?.(BodyOfEntity.prototype, name);
  return BodyOfEntity as Type<B & Omit<ApiMembers<E>, keyof B>>;
}

/** The body of update requests: all members of create requests, none of them required. */
export function PartialBody<T extends object>(create: Type<T>): Type<Partial<T>> {
  // Without this option, null would be accepted for every member.
  const partial = PartialType(create, { skipNullProperties: false });
  copyJsonMembers(create, partial);
  return partial;
}

/** A body without some of its members. */
export function BodyWithout<T extends object>(body: Type<T>, names: readonly string[]): Type<object> {
  const rest = OmitType(body, names as readonly (keyof T)[]) as Type<object>;
  copyJsonMembers(body, rest, names);
  return rest;
}

/** A class with a name, which its schema in the API description has, too. */
export function namedClass<T extends object>(name: string, Base: Type<T>): Type<T> {
  const classes = { [name]: class extends (Base as Type<object>) {} };
  return classes[name] as Type<T>;
}
