import { jsonText, parseJson } from '../../api/exact-json';
import type { Operation, ProposalConflict } from '../../api/proposals';

const VARIABLES = 'variables.';

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const without = (members: Members, name: string): Members =>
  Object.fromEntries(Object.entries(members).filter(([other]) => other !== name));

/**
 * An operation without what it writes to a member (`name`) or a variable (`variables.ntp_servers`), so that the present
 * value stays.
 * @returns `nothing` if it writes nothing else; undefined if it cannot be told from the operation what writes it
 */
export function withoutField(operation: Operation, field: string): Operation | 'nothing' | undefined {
  const { path, body } = operation;
  // Of one resource: not a creation, and not the variables of many.
  const match = /^\/v1\/[a-z-]+\/[0-9a-f-]+(?:\/(variables)(?:\/([^/?]+))?)?$/i.exec(path ?? '');
  if (!match) return undefined;
  const [, part, key] = match;
  const variable = field.startsWith(VARIABLES) ? field.slice(VARIABLES.length) : undefined;
  if (part === undefined && operation.method === 'DELETE') return 'nothing';
  if (key !== undefined) return decodeURIComponent(key) === variable ? 'nothing' : undefined;
  if (part !== undefined && variable !== undefined) return withoutVariable(operation, variable);
  if (part !== undefined || !isMembers(body)) return undefined;
  const { variables } = body;
  if (variable === undefined) return field in body ? orNothing(operation, without(body, field)) : undefined;
  if (!isMembers(variables) || !(variable in variables)) return undefined;
  const others = without(variables, variable);
  const rest = without(body, 'variables');
  return orNothing(operation, Object.keys(others).length === 0 ? rest : { ...rest, variables: others });
}

/** The same for a `PUT` or `DELETE` of several variables of one resource. */
function withoutVariable(operation: Operation, variable: string): Operation | 'nothing' | undefined {
  const { body } = operation;
  if (Array.isArray(body)) {
    const others = body.filter((key) => key !== variable);
    if (others.length === body.length) return undefined;
    return others.length === 0 ? 'nothing' : { ...operation, body: others };
  }
  return isMembers(body) && variable in body ? orNothing(operation, without(body, variable)) : undefined;
}

const orNothing = (operation: Operation, body: Members): Operation | 'nothing' =>
  Object.keys(body).length === 0 ? 'nothing' : { ...operation, body };

/** A conflict is about one member or variable of one operation. */
export const conflictKey = ({ operation, kind, resource_id, field }: ProposalConflict): string =>
  `${operation}/${kind}/${resource_id}/${field}`;

const RESOURCE = /^\/v1\/[a-z-]+\/[0-9a-f-]+/i;
const resourceOf = (operation: Operation | undefined): string | undefined =>
  RESOURCE.exec(operation?.path ?? '')?.[0];

/** Whether an operation writes the resource of a conflict: it is the first that does, or a later one with the same path. */
function writesResource(operations: readonly Operation[], index: number, first: number): boolean {
  const resource = resourceOf(operations[first]);
  return (
    index === first || (index > first && resource !== undefined && resourceOf(operations[index]) === resource)
  );
}

/** Whether an amendment can leave out what a conflict is about. */
export const canTakeTheirs = (operations: readonly Operation[], conflict: ProposalConflict): boolean =>
  operations.some(
    (operation, i) =>
      writesResource(operations, i, conflict.operation) &&
      withoutField(operation, conflict.field) !== undefined,
  );

/**
 * The operations as they are after the conflicts were answered: without what was taken from others, and without
 * preconditions, as the present is their new base.
 * @param theirs the conflicts whose present values stay
 */
export function resolved(operations: readonly Operation[], theirs: readonly ProposalConflict[]): Operation[] {
  return operations.flatMap((operation, i) => {
    const fields = theirs
      .filter((conflict) => writesResource(operations, i, conflict.operation))
      .map(({ field }) => field);
    const rest = fields.reduce<Operation | 'nothing'>(
      (former, field) => (former === 'nothing' ? former : (withoutField(former, field) ?? former)),
      operation,
    );
    return rest === 'nothing' ? [] : [withoutPreconditions(rest)];
  });
}

const PRECONDITIONS = new Set(['if_match', 'if_none_match']);

const withoutPreconditions = (operation: Operation): Operation =>
  Object.fromEntries(
    Object.entries(operation).filter(([name]) => !PRECONDITIONS.has(name)),
  ) as unknown as Operation;

/** The body of an operation as text for an editor: that of NDJSON as it is. */
export const bodyText = ({ body }: Operation): string =>
  typeof body === 'string' ? body : body === undefined || body === null ? '' : jsonText(body, 2);

/** An operation with a body from an editor. @throws SyntaxError */
export function withBodyText(operation: Operation, text: string): Operation {
  if (typeof operation.body === 'string') return { ...operation, body: text };
  return text.trim() === '' ? operation : { ...operation, body: parseJson(text) };
}
