import { type Abstract, applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, OmitType, PartialType } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { Column, type ColumnOptions, getMetadataArgsStorage } from 'typeorm';
import { jsonValueError } from '../core/context/variable-keys';
import { parseAddress } from '../core/ip-address';
import {
  address,
  bigintNumber,
  column,
  type Field,
  identityFields,
  json,
  labelNames,
  type LabelTable,
  type VariableOwnerEntity,
  versionFields,
} from '../database/resource-shape';
import {
  copyJsonMembers,
  JsonCheck,
  JsonMember,
  Nullable,
  Optional,
  ReadsWith,
} from '../http/body-validation';
import { booleanFilter, type ListFilter, textFilter } from '../list/list-filter';
import {
  Description,
  Note,
  NullableId,
  NullableText,
  OptionalText,
  RequiredId,
  RequiredText,
} from './body-members';
import { LabelsProperty, ResourceView } from './resource.view';

/**
 * The members of resources. Each is declared once, by one decorator of its entity's property, which is its column. From
 * it follow the classes of responses and request bodies (`View`, `CreateBody`, `PartialBody`), how lists and change
 * records read it (`fieldsOf`), its filter, and its place in the files of imports and exports.
 *
 * The type of a property is the one in request bodies. It is optional if a create request can omit it.
 */
export interface Member {
  readonly name: string;
  readonly type: MemberType;
  /** How it is read. */
  readonly field: Field;
  /** Whether create requests must have it. */
  readonly isRequired: boolean;
  /** The value of a new resource, as SQL, if its line in an import does not have it; absent: null. */
  readonly default?: string;
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
  'text' | 'long text' | 'address' | 'boolean' | 'integer' | 'json' | 'reference' | 'labels' | 'derived';

const MEMBERS = Symbol('members');

/** The members of an entity, in the order of responses: those that it inherits come first. */
export const membersOf = (entity: Abstract<unknown>): readonly Member[] =>
  (Reflect.getMetadata(MEMBERS, entity.prototype as object) as Member[] | undefined) ?? [];

/** The members that an entity does not inherit. */
export const ownMembersOf = (entity: Abstract<unknown>): readonly Member[] =>
  membersOf(entity).slice(membersOf(Object.getPrototypeOf(entity) as Abstract<unknown>).length);

/** A decorator for properties of the type `V`. Others do not compile. */
type MemberDecorator<V> = <T extends object, K extends keyof T & string>(
  target: T,
  name: [T[K], V] extends [V, T[K]] ? K : never,
) => void;

/** The type of a member with these options. */
type Value<V, O> = O extends { nullable: true }
  ? V | null | undefined
  : O extends { default: unknown }
    ? V | undefined
    : V;

/** @param describe makes the member of a property */
function member<V>(
  columnOptions: ColumnOptions | undefined,
  describe: (name: string) => Omit<Member, 'name'>,
): MemberDecorator<V> {
  return (target, name) => {
    if (columnOptions) Column(columnOptions)(target, name);
    register(target, { name, ...describe(name) });
  };
}

function register(target: object, added: Member): void {
  const members = membersOf(target.constructor as Abstract<unknown>);
  Reflect.defineMetadata(MEMBERS, [...members, added], target);
}

/** What the API description says about a member. */
interface Documentation<E = unknown> {
  readonly example?: E;
  readonly description?: string;
}

interface MemberOptions<E = unknown> extends Documentation<E> {
  /** Whether it can be null. Create requests can omit it then. */
  readonly nullable?: true;
  /** What the description of responses says instead. */
  readonly view?: Documentation;
  /** What the description of request bodies says instead. */
  readonly body?: Documentation<E>;
}

interface FilterOptions {
  /** Describes the query parameter by which lists filter it; absent: there is none. */
  readonly filter?: string;
}

const isNullable = ({ nullable }: MemberOptions): { nullable?: true } => (nullable ? { nullable } : {});

/** The schema of a member, with what is said about it in responses or in request bodies. */
const documented = (
  schema: ApiPropertyOptions,
  options: MemberOptions,
  { example, description }: Documentation = {},
  limits: object = {},
): PropertyDecorator => {
  const said = description ?? options.description;
  return ApiProperty({
    ...schema,
    ...isNullable(options),
    example: example === undefined ? options.example : example,
    ...limits,
    ...(said === undefined ? {} : { description: said }),
  } as ApiPropertyOptions);
};

/** Whether requests can omit a member, or set it to null. */
const presence = (options: MemberOptions & { readonly default?: unknown }): PropertyDecorator[] => {
  if (options.nullable) return [Nullable()];
  return options.default === undefined ? [] : [Optional()];
};

interface TextOptions extends MemberOptions<string>, FilterOptions {
  readonly example: string;
  /** The error of a value; by default that of a name. */
  readonly check?: (value: unknown) => string | undefined;
  /** Converts the value of a request, but not the one of a line. */
  readonly read?: (value: unknown) => unknown;
}

/** A name or another short text, in one line. */
export function Text<const O extends TextOptions>(options: O): MemberDecorator<Value<string, O>> {
  const { example, description, check, read } = { ...options, ...options.body };
  const [inBody, inLine] = [
    options.nullable ? NullableText : RequiredText,
    options.nullable ? NullableText : OptionalText,
  ];
  return member({ type: 'text', ...isNullable(options) }, (name) => ({
    type: 'text',
    field: column(name, 'text', isNullable(options)),
    isRequired: options.nullable !== true,
    lineName: name,
    inView: documented({ type: String }, options, options.view),
    inBody: applyDecorators(inBody(example, description, check), ...(read ? [ReadsWith(read)] : [])),
    ...(read && { inLine: inLine(example, description, check) }),
    ...(options.filter === undefined ? {} : { filter: textFilter(name, options.filter, options.example) }),
  }));
}

/** A text that can be long and have several lines; null for none. */
export function LongText(options: {
  readonly example: string;
  readonly description: string;
  readonly view?: Documentation;
}): MemberDecorator<string | null | undefined> {
  const { example, description, view } = options;
  return longText({ view: { example, ...view } }, Description(example, description));
}

/** The reason of the last change that had one. */
export const ChangeNote = (): MemberDecorator<string | null | undefined> =>
  longText({ view: { example: null } }, Note());

const longText = ({ view }: MemberOptions, inBody: PropertyDecorator) =>
  member<string | null | undefined>({ type: 'text', nullable: true }, (name) => ({
    type: 'long text',
    field: column(name, 'text', { nullable: true }),
    isRequired: false,
    lineName: name,
    inView: documented({ type: String }, { nullable: true }, view),
    inBody,
  }));

interface IntegerOptions extends MemberOptions<number> {
  readonly min: number;
  readonly max: number;
  readonly example: number;
}

/**
 * An integer.
 * @public used by examples of CONTRIBUTING.md
 */
export function Integer<const O extends IntegerOptions>(options: O): MemberDecorator<Value<number, O>> {
  const { min, max } = options;
  const message = `must be an integer from ${String(min)} to ${String(max)}`;
  const isInRange = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  return member({ type: 'integer', ...isNullable(options) }, (name) => ({
    type: 'integer',
    field: column(name, 'integer', isNullable(options)),
    isRequired: options.nullable !== true,
    lineName: name,
    inView: documented({ type: 'integer' }, options, options.view),
    inBody: applyDecorators(
      ...presence(options),
      JsonCheck('integer', (value) => (isInRange(value) ? undefined : message)),
      documented(
        { type: 'integer', minimum: min, maximum: max, required: !options.nullable },
        options,
        options.body,
      ),
    ),
  }));
}

interface FlagOptions extends MemberOptions<boolean>, FilterOptions {
  /** The value of a new resource. The column has the same default. */
  readonly default: boolean;
}

/** True or false. */
export function Flag(options: FlagOptions): MemberDecorator<boolean | undefined> {
  const schema = { type: Boolean };
  return member({ type: 'boolean' }, (name) => ({
    type: 'boolean',
    field: column(name, 'boolean'),
    isRequired: false,
    default: String(options.default),
    lineName: name,
    inView: documented(schema, options, options.view),
    inBody: applyDecorators(
      ...presence(options),
      IsBoolean({ message: 'must be true or false' }),
      documented({ ...schema, required: false }, options, options.body),
    ),
    ...(options.filter === undefined ? {} : { filter: booleanFilter(name, options.filter) }),
  }));
}

const addressError = (value: unknown): string | undefined =>
  typeof value === 'string' && parseAddress(value) !== undefined ? undefined : 'must be an IP address';

/**
 * An IP address. One spelling of it is stored, so that duplicates are found. The import does the same with
 * `addressSql`.
 */
export function Address(options: MemberOptions<string>): MemberDecorator<string> {
  return member({ type: 'inet' }, (name) => ({
    type: 'address',
    field: address(name),
    isRequired: true,
    lineName: name,
    inView: documented({ type: String }, options, options.view),
    inBody: applyDecorators(
      ReadsWith((value) => (typeof value === 'string' ? parseAddress(value) : undefined)),
      JsonCheck('address', addressError),
      documented({ type: String }, options, options.body),
    ),
  }));
}

/** Any JSON value, or null. Its numbers keep all digits. */
export function AnyJson(options: MemberOptions): MemberDecorator<unknown> {
  const schema = {
    type: Object,
    nullable: true,
    oneOf: ['array', 'object', 'string', 'number', 'boolean'].map((type) =>
      type === 'array' ? { type, items: {} } : { type },
    ),
  };
  return member({ type: 'jsonb', nullable: true }, (name) => ({
    type: 'json',
    field: json(name),
    isRequired: false,
    lineName: name,
    inView: documented(schema, options, options.view),
    inBody: applyDecorators(
      Optional(),
      JsonMember(),
      JsonCheck('json', jsonValueError),
      documented({ ...schema, required: false }, options, options.body),
    ),
  }));
}

interface ReferenceOptions {
  readonly nullable?: true;
  readonly view?: Documentation;
  /** What the description of request bodies says. */
  readonly description: string;
  /** The member of lines with the name of the other resource; absent: lines do not have it. */
  readonly line?: { readonly example: string; readonly description: string };
  /** A column that must be equal in both rows. */
  readonly shared?: string;
}

/** The id of another resource of the project. @param target its entity */
export function Reference<const O extends ReferenceOptions>(
  target: () => Abstract<unknown>,
  options: O,
): MemberDecorator<Value<number, O>> {
  const { nullable, view, description, line, shared } = options;
  const type = { type: 'integer', format: 'int64' } as const;
  return member({ type: 'bigint', transformer: bigintNumber, ...isNullable(options) }, (name) => ({
    type: 'reference',
    field: {
      ...column(name, 'bigint', isNullable(options)),
      references: { target, ...(shared === undefined ? {} : { shared }) },
    },
    isRequired: nullable !== true,
    inView: documented(type, { ...isNullable(options), example: 1 }, view),
    inBody: nullable ? NullableId(description) : RequiredId(description),
    ...(line && {
      lineName: name.replace(/_id$/, ''),
      inLine: (nullable ? NullableText : OptionalText)(line.example, line.description),
    }),
  }));
}

/** The names of its labels. Requests set them with the member of `LabelledBody`. */
export const Labels = (table: LabelTable): MemberDecorator<string> =>
  member(undefined, (name) => ({
    type: 'labels',
    field: labelNames(table),
    isRequired: false,
    lineName: name,
    inView: LabelsProperty(),
  }));

/** A member of responses that is read from other resources. @param sql over its row `t` */
export const Derived =
  (sql: string, schema: ApiPropertyOptions): PropertyDecorator =>
  (target, name) => {
    register(target, {
      name: String(name),
      type: 'derived',
      field: { sql, derived: true },
      isRequired: false,
      inView: ApiProperty(schema),
    });
  };

/** The table of an entity. */
export function tableOf(entity: Abstract<unknown>): string {
  const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name;
  if (table === undefined) throw new Error(`${entity.name} has no table`);
  return table;
}

/** How the members of a resource are read, in the order of responses. */
export const fieldsOf = (entity: Abstract<unknown>): Record<string, Field> => ({
  ...identityFields,
  ...Object.fromEntries(membersOf(entity).map(({ name, field }) => [name, field])),
  ...versionFields,
});

/** The filters of lists by the members that an entity does not inherit. */
export const filtersOf = (entity: Abstract<unknown>): ListFilter[] =>
  ownMembersOf(entity).flatMap(({ filter }) => filter ?? []);

/** The response for an entity. @param Base the response for what it extends */
export function View<B extends ResourceView = ResourceView>(
  entity: Abstract<unknown>,
  Base: Type<B> = ResourceView as Type<B>,
): Type<B> {
  class ViewOfEntity extends (Base as Type<ResourceView>) {}
  for (const { name, inView } of ownMembersOf(entity)) inView(ViewOfEntity.prototype, name);
  return ViewOfEntity as Type<B>;
}

/** The members of an entity that create requests set. */
type Settable<E> = Omit<E, keyof VariableOwnerEntity>;

/**
 * The body of create requests for an entity.
 * @param Base the body for what it extends, or with further members
 * @param order of the description; by default that of the entity
 */
export function CreateBody<E, B extends object = object>(
  entity: Abstract<E>,
  Base: Type<B> = Object as unknown as Type<B>,
  order?: 'optional first',
): Type<B & Omit<Settable<E>, keyof B>> {
  class BodyOfEntity extends (Base as Type<object>) {}
  const members = [...ownMembersOf(entity)];
  if (order) members.sort((a, b) => Number(a.isRequired) - Number(b.isRequired));
  for (const { name, inBody } of members) inBody?.(BodyOfEntity.prototype, name);
  return BodyOfEntity as unknown as Type<B & Omit<Settable<E>, keyof B>>;
}

/** The body of update requests: all members of create requests, none of them required. */
export function PartialBody<T extends object>(create: Type<T>): Type<Partial<T>> {
  const partial = PartialType(create, { skipNullProperties: false });
  copyJsonMembers(create, partial);
  return partial;
}

/** A body without some members. */
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
