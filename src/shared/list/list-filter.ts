import { isIP } from 'node:net';
import type { RequestContext } from '../context/request-context';
import { InventoryError } from '../errors/inventory-error';
import { parseId } from '../http/resource-id';
import { raw, sql, type Sql } from '../persistence/sql';
import type { ResourceShape } from '../resources/resource-shape';
import type { Branch } from './list-request';

/** A query parameter that narrows a list. The API's description is made from the same declaration. */
export interface ListFilter {
  readonly name: string;
  readonly description: string;
  readonly type: 'integer' | 'string' | 'boolean';
  readonly example: string | number | boolean;
  /** May be given several times; then all must hold. */
  readonly repeatable?: true;
  /** The value is the id of one of these; one that the caller cannot see is answered with 404. */
  readonly refersTo?: ResourceShape;
  /**
   * The condition over `t`.
   * @param given what the other filters of the same list were given, by name, where one means something with another
   * @param ctx who asks, where something is found for one and not for another
   * @throws InventoryError 400 for a value that is not of the parameter's form
   */
  readonly condition: (value: string, given: ReadonlyMap<string, string>, ctx: RequestContext) => Sql;
  /** A way to what the filter finds through an index of its own, where it finds little; the condition holds all the same. */
  readonly branch?: (value: string, given: ReadonlyMap<string, string>) => Branch | undefined;
}

/** Reads an id. @throws InventoryError 400 */
export function idValue(name: string, text: string): number {
  const id = parseId(text);
  if (id === undefined) throw InventoryError.invalid(name, 'must be an integer');
  return id;
}

/** Reads a truth value. @throws InventoryError 400 */
export function booleanValue(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw InventoryError.invalid(name, 'must be true or false');
  return text === 'true';
}

/** By the id of another resource. `refersTo` is left out where the list promises no 404. */
export function idFilter(
  name: string,
  description: string,
  refersTo?: ResourceShape,
  column = `t.${name}`,
): ListFilter {
  return {
    name,
    description,
    type: 'integer',
    example: 1,
    ...(refersTo ? { refersTo } : {}),
    condition: (value) => sql`${raw(column)} = ${idValue(name, value)}`,
  };
}

/** By the exact text of a column. */
export function textFilter(
  name: string,
  description: string,
  example: string,
  column = `t.${name}`,
): ListFilter {
  return {
    name,
    description,
    type: 'string',
    example,
    condition: (value) => sql`${raw(column)} = ${storableText(name, value)}`,
  };
}

/** PostgreSQL's text cannot hold NUL; so nothing is named like that, and the request is malformed. @throws InventoryError 400 */
export function storableText(name: string, value: string): string {
  if (value.includes('\u0000')) throw InventoryError.invalid(name, 'must not contain a NUL character');
  return value;
}

export function booleanFilter(name: string, description: string): ListFilter {
  return {
    name,
    description,
    type: 'boolean',
    example: true,
    condition: (value) => sql`${raw(`t.${name}`)} = ${booleanValue(name, value)}`,
  };
}

/** By an address, or by the network that addresses lie in. */
export function addressFilter(name: string, column: string): ListFilter {
  return {
    name,
    description: 'An IP address, or a network in CIDR form that the address lies in.',
    type: 'string',
    example: '10.0.0.0/24',
    condition: (value) => {
      const [address = '', prefix, ...rest] = value.split('/');
      const version = isIP(address);
      const longest = version === 4 ? 32 : 128;
      const valid =
        version !== 0 &&
        !address.includes('%') &&
        rest.length === 0 &&
        (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest));
      if (!valid) throw InventoryError.invalid(name, 'must be an IP address or a network in CIDR form');
      return prefix === undefined
        ? sql`${raw(column)} = ${value}::inet`
        : sql`${raw(column)} <<= ${value}::inet`;
    },
  };
}

/** By a label that the resource carries. */
export function labelFilter(assignments: string, owner: string): ListFilter {
  return {
    name: 'label',
    description: 'The name of a label that the resource carries. May be given several times: all must hold.',
    type: 'string',
    example: 'compute',
    repeatable: true,
    condition: (value) => sql`EXISTS (SELECT FROM ${raw(assignments)} a
      JOIN labels l ON l.project_id = a.project_id AND l.id = a.label_id
      WHERE a.project_id = t.project_id AND a.${raw(owner)} = t.id AND l.label = ${storableText('label', value)})`,
  };
}
