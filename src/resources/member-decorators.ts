import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Column, type ColumnOptions } from 'typeorm';
import { jsonValueError } from '../core/context/variable-keys';
import { parseAddress } from '../core/ip-address';
import type { JsonInput } from '../database/json-input';
import {
  address,
  bigintNumber,
  column,
  type Field,
  json,
  labelNames,
  type LabelTable,
  naturalText,
} from '../database/resource-mapping';
import { booleanError, JsonCheck, JsonMember, Nullable, Optional, ReadsWith } from '../http/body-validation';
import { booleanFilter, textFilter } from '../lists/list-filter';
import {
  Description,
  Note,
  NullableId,
  NullableText,
  OptionalText,
  rejectsNull,
  RequiredId,
  RequiredText,
} from './body-members';
import { type EntityClass, type Member, registerMember } from './members';
import { anyValueSchema } from '../http/api-schemas';
import { LabelsProperty } from './resource.view';
import { fault, type Fault } from '../core/error-details';

/** A decorator for properties of the type `V`. Others do not compile. */
type MemberDecorator<V> = <T extends object, K extends keyof T & string>(
  target: T,
  name: [T[K], V] extends [V, T[K]] ? K : never,
) => void;

/** The type of a property with these options. */
type Value<V, O> = O extends { nullable: true } ? V | null | undefined : V;

/** @param describe makes the member of a property */
function member<V>(
  columnOptions: ColumnOptions | undefined,
  describe: (name: string) => Omit<Member, 'name'>,
): MemberDecorator<V> {
  return (target, name) => {
    if (columnOptions) Column(columnOptions)(target, name);
    registerMember(target, { name, ...describe(name) });
  };
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

interface CheckOptions {
  /** The error of a value, instead of the usual check. */
  readonly check?: (value: unknown) => Fault | undefined;
}

const isNullable = ({ nullable }: { readonly nullable?: true }): { nullable?: true } =>
  nullable ? { nullable } : {};

/** Describes a member. @param documentation for responses, or for request bodies */
const described = (
  schema: ApiPropertyOptions,
  options: MemberOptions,
  documentation: Documentation = {},
  limits: object = {},
): PropertyDecorator => {
  const { example, description } = { ...options, ...documentation };
  return ApiProperty({
    ...schema,
    ...isNullable(options),
    example,
    ...limits,
    ...(description === undefined ? {} : { description }),
  });
};

interface TextOptions extends MemberOptions<string>, FilterOptions, CheckOptions {
  readonly example: string;
  /** Converts the value of a request, but not that of a line. */
  readonly read?: (value: unknown) => unknown;
  /** Whether lists can be sorted by it in natural order, too. It needs an index in that order, and cannot be null. */
  readonly hasNaturalOrder?: true;
}

/** A name or another short text, in one line. */
export function Text<const O extends TextOptions>(options: O): MemberDecorator<Value<string, O>> {
  const { nullable, view, filter, check, read, hasNaturalOrder } = options;
  const { example, description } = { ...options, ...options.body };
  const inBody = (nullable ? NullableText : RequiredText)(example, description, check);
  return member({ type: 'text', ...isNullable(options) }, (name) => ({
    type: 'text',
    field: hasNaturalOrder ? naturalText(name) : column(name, 'text', isNullable(options)),
    isRequired: nullable !== true,
    lineName: name,
    inView: described({ type: String }, options, view),
    inBody: read ? applyDecorators(ReadsWith(read), inBody) : inBody,
    ...(read && { inLine: (nullable ? NullableText : OptionalText)(example, description, check) }),
    ...(filter !== undefined && { filter: textFilter(name, filter, options.example) }),
  }));
}

const longText = (view: Documentation, inBody: PropertyDecorator) =>
  member<string | null | undefined>({ type: 'text', nullable: true }, (name) => ({
    type: 'long text',
    field: column(name, 'text', { nullable: true }),
    isRequired: false,
    lineName: name,
    inView: described({ type: String }, { nullable: true }, view),
    inBody,
  }));

/**
 * A text that can be long and have several lines; null for none.
 * @param purpose for the description of request bodies
 */
export const LongText = (example: string, purpose: string) =>
  longText({ example }, Description(example, purpose));

/** The reason of the last change that had one. */
export const ChangeNote = () => longText({ example: null }, Note());

interface IntegerOptions extends MemberOptions<number> {
  readonly min: number;
  readonly max: number;
  readonly example: number;
}

/**
 * An integer.
 * @public CONTRIBUTING.md uses it in examples.
 */
export function Integer<const O extends IntegerOptions>(options: O): MemberDecorator<Value<number, O>> {
  const { min, max, nullable, view, body } = options;
  const message = `must be an integer from ${String(min)} to ${String(max)}`;
  const errorOf = (value: unknown): Fault | undefined => {
    if (!Number.isInteger(value)) return fault('invalid_type', message);
    return Number(value) >= min && Number(value) <= max ? undefined : fault('out_of_range', message);
  };
  return member({ type: 'integer', ...isNullable(options) }, (name) => ({
    type: 'integer',
    field: column(name, 'integer', isNullable(options)),
    isRequired: nullable !== true,
    lineName: name,
    inView: described({ type: 'integer' }, options, view),
    inBody: applyDecorators(
      ...(nullable ? [Nullable()] : []),
      JsonCheck('integer', rejectsNull(errorOf)),
      described({ type: 'integer', required: nullable !== true }, options, body, {
        minimum: min,
        maximum: max,
      }),
    ),
  }));
}

interface FlagOptions extends MemberOptions<boolean>, FilterOptions {
  /** The value of a new resource that is created without it. */
  readonly default: boolean;
}

/** True or false. */
export function Flag(options: FlagOptions): MemberDecorator<boolean | undefined> {
  const { view, body, filter } = options;
  return member({ type: 'boolean' }, (name) => ({
    type: 'boolean',
    field: column(name, 'boolean'),
    isRequired: false,
    default: options.default,
    lineName: name,
    inView: described({ type: Boolean }, options, view),
    inBody: applyDecorators(
      Optional(),
      JsonCheck('boolean', rejectsNull(booleanError)),
      described({ type: Boolean, required: false }, options, body),
    ),
    ...(filter !== undefined && { filter: booleanFilter(name, filter) }),
  }));
}

function addressError(value: unknown): Fault | undefined {
  if (typeof value !== 'string') return fault('invalid_type', 'must be an IP address');
  return parseAddress(value) === undefined ? fault('invalid_format', 'must be an IP address') : undefined;
}

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
    inView: described({ type: String }, options, options.view),
    inBody: applyDecorators(
      ReadsWith((value) => (typeof value === 'string' ? parseAddress(value) : undefined)),
      JsonCheck('address', rejectsNull(addressError)),
      described({ type: String }, options, options.body),
    ),
  }));
}

/** Any JSON value of the user, or null. Its numbers keep all digits. */
export function Json(options: MemberOptions): MemberDecorator<JsonInput | undefined> {
  return member({ type: 'jsonb', nullable: true }, (name) => ({
    type: 'json',
    field: json(name),
    isRequired: false,
    lineName: name,
    inView: described(anyValueSchema, options, options.view),
    inBody: applyDecorators(
      // A null of the body is a value, too.
      Optional(),
      JsonMember(),
      JsonCheck('json', jsonValueError),
      described({ ...anyValueSchema, required: false }, options, options.body),
    ),
  }));
}

interface ReferenceOptions {
  readonly nullable?: true;
  readonly view?: Documentation;
  /** What the description of request bodies says. */
  readonly description: string;
  /**
   * The member of lines with the name of the other resource; absent: lines do not have it. Imports need code for it:
   * see ADR 40.
   */
  readonly line?: { readonly example: string; readonly description: string };
  /** A column that must be equal in both rows. */
  readonly shared?: string;
}

/** The id of another resource of the project. @param target its entity */
export function Reference<const O extends ReferenceOptions>(
  target: () => EntityClass,
  options: O,
): MemberDecorator<Value<number, O>> {
  const { nullable, view, description, line, shared } = options;
  const references = { target, ...(shared !== undefined && { shared }) };
  return member({ type: 'bigint', transformer: bigintNumber, ...isNullable(options) }, (name) => ({
    type: 'reference',
    field: { ...column(name, 'bigint', isNullable(options)), references },
    isRequired: nullable !== true,
    inView: described({ type: 'integer', format: 'int64' }, { ...isNullable(options), example: 1 }, view),
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

interface SpecialOptions {
  /** Absent: it is read from other resources. */
  readonly column?: ColumnOptions;
  readonly field: Field;
  readonly inView: PropertyDecorator;
  readonly inBody?: PropertyDecorator;
  readonly isRequired?: boolean;
}

/** A member that is like no other. Lines do not have it. */
export const Special =
  ({ column: columnOptions, ...special }: SpecialOptions): PropertyDecorator =>
  (target, name) => {
    if (columnOptions) Column(columnOptions)(target, name);
    registerMember(target, { name: String(name), type: 'special', isRequired: false, ...special });
  };
