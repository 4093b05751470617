import { isIP } from 'node:net';
import { visibleProjects, type ProjectScope, type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import { parseId, parseUuid } from '../core/parse-id';
import { list, raw, sql, type Sql } from '../database/sql';
import type { ResourceShape } from '../database/resource-shape';
import type { Branch } from './list-request';

/** A query parameter that narrows a list. The API's description is made from the same declaration. */
export interface ListFilter {
  readonly name: string;
  readonly description: string;
  readonly type: 'integer' | 'string' | 'boolean';
  /** What a text is, where it is not just any. */
  readonly format?: 'uuid';
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
  /**
   * A way to what the filter finds through an index of its own, where it finds little; the condition holds all the same.
   * @param scope the projects that are listed
   * @param all every value that the filter was given
   */
  readonly branch?: (
    value: string,
    given: ReadonlyMap<string, string>,
    scope: ProjectScope,
    all: readonly string[],
  ) => Branch | undefined;
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

/** By the resource's own UUID. @param column where it stands, with an index that begins with the project */
export function uuidFilter(column: string): ListFilter {
  return {
    name: 'uuid',
    description: 'The one with this UUID, with or without dashes, in any case.',
    type: 'string',
    format: 'uuid',
    example: '8d1a926b-2c8a-49b3-8fc2-31d00e56203f',
    condition: (value) => {
      const uuid = parseUuid(value);
      if (uuid === undefined) throw InventoryError.invalid('uuid', 'must be a UUID');
      return sql`${raw(column)} = ${uuid}::uuid`;
    },
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

/** By how the text of a column begins. @param column one in the order of code points, which is what its index is in */
export function prefixFilter(name: string, description: string, example: string, column: string): ListFilter {
  const condition = (value: string): Sql => {
    const least = sql`${raw(column)} >= ${storableText(name, value)}`;
    const end = behindAll(value);
    return end === undefined ? least : sql`(${least} AND ${raw(column)} < ${end})`;
  };
  return {
    name,
    description,
    type: 'string',
    example,
    condition,
    branch: (value) => ({ where: condition(value), unordered: 'whole', rangeOf: column }),
  };
}

const LAST_CODE_POINT = 0x10ffff;
const [FIRST_SURROGATE, LAST_SURROGATE] = [0xd800, 0xdfff];

/** The least text behind every one that begins so, by code points; undefined if there is none. */
function behindAll(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // What is half of a character stands for none.
  const next = last + 1 === FIRST_SURROGATE ? LAST_SURROGATE + 1 : last + 1;
  return String.fromCodePoint(...points, next);
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
    // How many addresses are in a network can be told from the network alone: the planner is asked each time.
    branch: (value) => (value.includes('/') ? { where: sql`true`, unordered: 'whole' } : undefined),
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
    // The label is looked up once. OFFSET 0: the rest row by row; as a join, every assignment of it might be read.
    condition: (value, _, ctx) => sql`EXISTS (SELECT FROM ${raw(assignments)} a
      WHERE a.project_id = t.project_id AND a.${raw(owner)} = t.id AND a.label_id = ANY(ARRAY(SELECT l.id FROM labels l
        WHERE ${inProjects(visibleProjects(ctx))} AND l.label = ${storableText('label', value)})) OFFSET 0)`,
    branch: (_, _given, scope, all) => labelBranch(raw(assignments), raw(owner), scope, [...new Set(all)]),
  };
}

const inProjects = (scope: ProjectScope): Sql =>
  scope === 'every project' ? sql`true` : sql`l.project_id = ${scope.project}`;

/** Far enough to tell a label that many carry from one that few do. */
const MANY = 20_000;

/** Through what carries a label, in the order of ids; of several labels through the one that the fewest carry. */
function labelBranch(assignments: Sql, owner: Sql, scope: ProjectScope, names: readonly string[]): Branch {
  const [first = ''] = names;
  const rarest = sql`(SELECT l.project_id, l.id FROM labels l
    WHERE l.project_id = ${scope === 'every project' ? null : scope.project} AND l.label = ANY(${list(names)}::text[])
    ORDER BY (SELECT count(*) FROM (SELECT FROM ${assignments} a
      WHERE a.project_id = l.project_id AND a.label_id = l.id LIMIT ${MANY}) AS carriers) LIMIT 1) AS s`;
  const ofEach = sql`(SELECT l.project_id, l.id FROM projects p JOIN labels l ON l.project_id = p.id
    WHERE ${scope === 'every project' ? sql`true` : sql`p.id = ${scope.project}`} AND l.label = ${first}) AS s`;
  return {
    drivers: names.length > 1 && scope !== 'every project' ? rarest : ofEach,
    join: sql`JOIN ${assignments} b ON b.project_id = t.project_id AND b.${owner} = t.id`,
    where: sql`b.project_id = s.project_id AND b.label_id = s.id`,
    sameAsId: sql`b.${owner}`,
  };
}
