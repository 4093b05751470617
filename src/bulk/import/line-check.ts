import { canWrite, assertCanWrite } from '../../auth/access';
import { requireBodyWrite } from '../../resources/body-members';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import { isTextDeeperThan, MAX_JSON_DEPTH, exponentDigits } from '../../core/json/json-text';
import type { JsonInput } from '../../database/json-input';
import { validBody } from '../../http/body-validation';
import { lineKinds, type LineKind } from './line-kinds';

/** A line that is valid, as far as this can be decided without the inventory. */
export interface CheckedLine {
  readonly kind: LineKind;
  readonly body: Readonly<Record<string, unknown>>;
  /** The identity of the resource. Lines of one import must have different identities. */
  readonly identity: string;
}

/** The maximum size of the variables of a resource, in bytes. */
const MAX_DIGITS = 1024 * 1024;

const KINDS = [...lineKinds.keys()].join(', ');

/**
 * Checks a line by the same rules as a write of one resource: the body, and the roles of the caller.
 * @throws InventoryError 400, 403
 */
export function checkLine(ctx: RequestContext, text: string): CheckedLine {
  if (isTextDeeperThan(MAX_JSON_DEPTH, text))
    throw new InventoryError(
      'invalid_request',
      `The line is nested more than ${String(MAX_JSON_DEPTH)} levels deep.`,
    );
  const body = parseObject(text);
  const kind = lineKinds.get(String(body['kind']));
  if (!kind) throw InventoryError.invalid('kind', `must be one of ${KINDS}`);
  if (exponentDigits(text) > MAX_DIGITS)
    throw new InventoryError('invalid_request', 'The numbers in the line have too many digits.');
  const members = validBody(kind.dto, body, text) as { readonly variables?: JsonInput };
  const { identity } = kind.group;
  for (const member of identity)
    if (body[member] === undefined) throw InventoryError.invalid(member, 'must be given');
  const writtenMembers = Object.entries(members).filter(
    ([name]) => name !== 'kind' && !identity.includes(name),
  );
  const isAllowed = canWrite(ctx.principal, kind.shape.collection) && members.variables === undefined;
  // A line that has only a name requires the role for the collection.
  if (!isAllowed) requireBodyWrite(ctx, kind.shape.collection, Object.fromEntries(writtenMembers));
  return { kind, body, identity: lineIdentity(kind, body) };
}

/** A role for variables alone does not allow creating resources. @throws InventoryError 403 */
export function assertCanCreate({ principal }: RequestContext, { shape }: LineKind): void {
  assertCanWrite(principal, shape.collection);
}

const lineIdentity = ({ group }: LineKind, body: Readonly<Record<string, unknown>>): string =>
  [group.table, ...group.identity.map((member) => String(body[member]))].join('\n');

/** The identity of a device. */
export const deviceIdentity = (name: string): string => `devices\n${name}`;

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
