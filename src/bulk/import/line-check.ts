import { mayWrite, requireWrite } from '../../auth/access';
import { requireBodyWrite } from '../../resources/body-access';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import { isTextDeeperThan, MAX_JSON_DEPTH } from '../../core/json/json-depth';
import { digitsOfExponents } from '../../core/json/number-exponents';
import type { JsonInput } from '../../database/json-input';
import { validBody } from '../../http/body-validation';
import { lineKinds, type LineKind } from './line-kinds';

/** A line that says something that can be written, as far as the line itself tells. */
export interface CheckedLine {
  readonly kind: LineKind;
  readonly body: Readonly<Record<string, unknown>>;
  /** What it names: no two lines of an import do. */
  readonly identity: string;
}

/** As many digits as one resource's variables may take bytes. */
const MOST_DIGITS = 1024 * 1024;

const KINDS = [...lineKinds.keys()].join(', ');

/**
 * Checks a line by the rules of single writes: what they check of a body, and of the roles.
 * @throws InventoryError 400, 403
 */
export function checkedLine(ctx: RequestContext, text: string): CheckedLine {
  if (isTextDeeperThan(MAX_JSON_DEPTH, text))
    throw new InventoryError(
      'invalid_request',
      `The line is nested more than ${String(MAX_JSON_DEPTH)} levels deep.`,
    );
  const body = parsed(text);
  const kind = lineKinds.get(String(body['kind']));
  if (!kind) throw InventoryError.invalid('kind', `must be one of ${KINDS}`);
  if (digitsOfExponents(text) > MOST_DIGITS)
    throw new InventoryError('invalid_request', 'The numbers in the line have too many digits.');
  const members = validBody(kind.line, body, text) as { readonly variables?: JsonInput };
  const { identity } = kind.group;
  for (const member of identity)
    if (body[member] === undefined) throw InventoryError.invalid(member, 'must be given');
  const written = Object.entries(members).filter(([name]) => name !== 'kind' && !identity.includes(name));
  const isAllowed = mayWrite(ctx.principal, kind.shape.collection) && members.variables === undefined;
  // A line with nothing but a name asks for the collection's role.
  if (!isAllowed) requireBodyWrite(ctx, kind.shape.collection, Object.fromEntries(written));
  return { kind, body, identity: identityOf(kind, body) };
}

/** Whoever may write variables alone makes nothing new. @throws InventoryError 403 */
export function requireCreation({ principal }: RequestContext, { shape }: LineKind): void {
  requireWrite(principal, shape.collection);
}

const identityOf = ({ group }: LineKind, body: Readonly<Record<string, unknown>>): string =>
  [group.table, ...group.identity.map((member) => String(body[member]))].join('\n');

/** How a device is known among the lines. */
export const deviceIdentity = (name: string): string => `devices\n${name}`;

function parsed(text: string): Record<string, unknown> {
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
