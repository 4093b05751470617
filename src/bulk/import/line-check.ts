import { canWrite, assertCanWrite, assertCanWriteVariables } from '../../auth/access';
import { assertCanWriteBody, assertCanWriteVariablesOf, nameError } from '../../resources/body-members';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { isTextDeeperThan, MAX_JSON_DEPTH, exponentDigits } from '../../core/json/json-text';
import type { JsonInput } from '../../database/json-input';
import { validBody } from '../../http/body-validation';
import {
  KEEP_EQUAL_NUMBERS,
  lineGroups,
  lineKinds,
  UNSET_KEYS,
  type LineGroup,
  type LineKind,
} from './line-kinds';

/** A line whose kind is known. Its members are not checked yet. */
export interface ParsedLine {
  readonly kind: LineKind;
  readonly body: Readonly<Record<string, unknown>>;
  /**
   * The identity of the resource; undefined if the line does not name it. Lines of one import must have different
   * identities.
   */
  readonly identity: string | undefined;
}

/** The members of a valid line that the checks read. */
interface LineMembers {
  readonly variables?: JsonInput;
  readonly [UNSET_KEYS]?: readonly string[];
  readonly if_id?: number;
  readonly if_version?: number;
}

/** The maximum number of digits to which the exponents of the numbers in a line may expand. */
const MAX_DIGITS = 1024 * 1024;

const KINDS = [...lineKinds.keys()].join(', ');

/** The members of lines that are not written to members of the resource. */
const UNWRITTEN = ['kind', 'if_id', 'if_version', KEEP_EQUAL_NUMBERS, UNSET_KEYS];

/** Parses a line, and determines which resource it describes. @throws InventoryError 400 */
export function identifyLine(text: string): ParsedLine {
  if (isTextDeeperThan(MAX_JSON_DEPTH, text))
    throw new InventoryError(
      'invalid_request',
      `The line is nested more than ${String(MAX_JSON_DEPTH)} levels deep.`,
    );
  const body = parseObject(text);
  const kind = lineKinds.get(String(body['kind']));
  if (!kind) throw InventoryError.invalid('kind', 'invalid_value', `must be one of ${KINDS}`);
  return { kind, body, identity: lineIdentity(kind, body) };
}

/**
 * Checks a line by the same rules as a write of one resource: the body, and the roles of the caller.
 * @throws InventoryError 400, 403
 */
export function checkLine(ctx: RequestContext, text: string, { kind, body }: ParsedLine): void {
  if (exponentDigits(text) > MAX_DIGITS)
    throw new InventoryError('invalid_request', 'The numbers in the line have too many digits.');
  const members = validBody(kind.dto, body, text) as LineMembers;
  const unsetKeys = members[UNSET_KEYS] ?? [];
  const variables = members.variables?.parsed ?? {};
  const ambiguous = unsetKeys.find((key) => Object.hasOwn(variables, key));
  if (ambiguous !== undefined)
    throw InventoryError.invalid(UNSET_KEYS, 'inconsistent', `${ambiguous} is also a member of variables`);
  const { identity } = kind.group;
  for (const member of identity)
    if (body[member] === undefined) throw InventoryError.invalid(member, 'required', 'must be given');
  const { collection } = kind.mapping;
  if (unsetKeys.length > 0) assertCanWriteVariables(ctx, collection, unsetKeys);
  if (canWrite(ctx.principal, collection)) {
    assertCanWriteVariablesOf(ctx, collection, members);
    return;
  }
  const writtenMembers = Object.entries(members as Readonly<Record<string, unknown>>).filter(
    ([name, value]) => value !== undefined && !UNWRITTEN.includes(name) && !identity.includes(name),
  );
  // A line that has only a name requires the role for the collection.
  if (unsetKeys.length === 0 || writtenMembers.length > 0)
    assertCanWriteBody(ctx, collection, Object.fromEntries(writtenMembers));
}

/**
 * The members of an invalid line that are compared with the inventory. What is no valid name is null, so that nothing more is said of
 * it. Undefined if the resource is not known, or if the line is rejected for another reason.
 */
export function membersToLookUp(
  { kind: { group, required }, body }: ParsedLine,
  { code }: InventoryError,
): Readonly<Record<string, unknown>> | undefined {
  const isName = (member: string): boolean => nameError(body[member]) === undefined;
  if (!['invalid_request', 'conflict'].includes(code) || !group.identity.every(isName)) return undefined;
  const names = new Set([...group.identity, ...group.references.map(({ member }) => member)]);
  // A cell is one of its region.
  if (body['region'] !== undefined && !isName('region')) names.delete('cell');
  const members = [...names, ...required].filter((member) => body[member] !== undefined);
  // Other members can be long, and matter only if they are missing.
  return Object.fromEntries(
    members.map((member) => [member, names.has(member) && isName(member) ? body[member] : null]),
  );
}

/** A role for variables alone does not allow creating resources. @throws InventoryError 403 */
export function assertCanCreate({ principal }: RequestContext, { mapping }: LineKind): void {
  assertCanWrite(principal, mapping.collection);
}

function lineIdentity({ group }: LineKind, body: Readonly<Record<string, unknown>>): string | undefined {
  const names = group.identity.map((member) => body[member]);
  return names.every((name) => typeof name === 'string') ? identityOf(group, ...names) : undefined;
}

/** The identity of a resource. @param names the values of the members that identify it */
export const identityOf = ({ table }: LineGroup, ...names: readonly string[]): string =>
  [table, ...names].join('\n');

/** The identity of a device. */
export const deviceIdentity = (name: string): string => identityOf(lineGroups.devices, name);

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new InventoryError('invalid_request', `The line is not valid JSON: ${error.message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InventoryError('invalid_request', 'The line must be a JSON object.');
  return value as Record<string, unknown>;
}
