import { asObject, exactJson, jsonType, toNumber, withArticle, type JsonType } from '../api/exact-json';
import { approvalError, capitalized, reasonError } from '../cli-error';
import { displayKind } from '../lookup/resource-finder';
import { displayValue, printList, type OutputFormat } from '../output/formats';
import type { Row } from '../output/rows';

/** The effect of a dry run on devices. */
export interface Impact {
  /** How many devices would resolve other values. */
  readonly devices: number;
  /** The keys whose values would change. */
  readonly keys: readonly string[];
  /** The first page of the devices. */
  readonly items: readonly Row[];
}

/** The resolved value of a variable on a device, before and after a change; undefined if it is not set. */
interface VariableChange {
  readonly kind: string;
  readonly name: string;
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Reads the impact in a response. */
export function readImpact(response: unknown): Impact {
  const { devices, keys, items } = asObject(response);
  return { devices: toNumber(devices), keys: keys as string[], items: (items as unknown[]).map(asObject) };
}

/** The changes of resolved values, for each variable of each device. */
export const variableChanges = (items: readonly Row[]): VariableChange[] =>
  items.flatMap(({ kind, name, changes }) =>
    Object.entries(asObject(changes)).map(([key, sides]) => {
      const { before, after } = asObject(sides) as { before?: unknown; after?: unknown };
      return { kind: String(kind), name: String(name), key, before, after };
    }),
  );

/** A member of an object, before and after a change; undefined if it does not exist. */
export interface MemberChange {
  readonly member: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Members that every change touches, or that repeat what others say. */
const IGNORED_MEMBERS = new Set(['id', 'uuid', 'project_id', 'created_at', 'updated_at', 'version']);

/**
 * The members that a change modified; for a created or deleted object, those that are not empty.
 * @param before null for a created object
 * @param after null for a deleted object
 */
function memberChanges(before: unknown, after: unknown): MemberChange[] {
  const [old, current] = [asObject(before ?? {}), asObject(after ?? {})];
  const isCreatedOrDeleted = isMissing(before) || isMissing(after);
  return [...new Set([...Object.keys(old), ...Object.keys(current)])]
    .filter((member) => !IGNORED_MEMBERS.has(member) && jsonText(old[member]) !== jsonText(current[member]))
    .filter((member) => !isCreatedOrDeleted || !isEmpty(old[member] ?? current[member]))
    .map((member) => ({ member, before: old[member], after: current[member] }));
}

/** The changed members and variables of one object of a change record. */
export function objectChanges({ before, after, variables }: Row): MemberChange[] {
  const ofVariables = Object.entries(asObject(variables ?? {})).map(([key, values]) => {
    const sides = asObject(values);
    return { member: `variables.${key}`, before: sides['before'], after: sides['after'] };
  });
  return [...memberChanges(before, after), ...ofVariables];
}

const isMissing = (value: unknown): boolean => value === null || value === undefined;
const isEmpty = (value: unknown): boolean => isMissing(value) || value === '';

/** A value as JSON, so that a string, `null` and a missing value can be distinguished; an empty text for the latter. */
export const jsonText = (value: unknown): string => (value === undefined ? '' : exactJson.stringify(value));

/** The type of a value, before and after a change. */
interface TypeChange {
  readonly from: JsonType;
  readonly to: JsonType;
}

/** The change of a value's type. A value that is missing or null before or after has no type. */
function typeChange(before: unknown, after: unknown): TypeChange | undefined {
  if (isMissing(before) || isMissing(after)) return undefined;
  const [from, to] = [jsonType(before), jsonType(after)];
  return from === to ? undefined : { from, to };
}

/** The former type as a remark to the value in a table: ` (was a number)`; empty if the type is the same. */
export function typeRemark(before: unknown, after: unknown): string {
  const change = typeChange(before, after);
  return change ? ` (was ${withArticle(change.from)})` : '';
}

/**
 * The variables of the changed objects themselves whose types would change, as sentences.
 * @param change a change record
 */
export function describeTypeChanges(change: unknown): string[] {
  return (asObject(change)['objects'] as unknown[]).map(asObject).flatMap(({ kind, name, variables }) =>
    Object.entries(asObject(variables ?? {})).flatMap(([key, sides]) => {
      const { before, after } = asObject(sides);
      const types = typeChange(before, after);
      const target = `${displayKind(String(kind))} ${String(name)}`;
      return types
        ? [`This would change the type of ${key} on ${target} from ${types.from} to ${types.to}.`]
        : [];
    }),
  );
}

/** Why the rules of the project reject a previewed write, as lines; none if they do not. */
export function ruleLines({ approval_required: required, reason_rejected: rejected }: Row): string[] {
  return [
    ...(required === undefined
      ? []
      : [`It needs approval: the ${String(asObject(required)['description'])}.`]),
    ...(rejected === undefined ? [] : [`${capitalized(String(asObject(rejected)['message']))}.`]),
  ];
}

/**
 * Checks the preview of a write before a question is asked: the service would reject the write.
 * @throws CliError if a rule requires an approval, and no admin overrides it, or the reason is not accepted
 */
export function assertAllowed({ approval_required: required, reason_rejected: rejected }: Row): void {
  if (rejected !== undefined) throw reasonError(String(asObject(rejected)['message']));
  if (required !== undefined) throw approvalError([String(asObject(required)['description'])]);
}

/** The result of a dry run of a write to one resource. */
export interface Preview extends Impact {
  /** The response body. */
  readonly body: Row;
  /** The keys of the resource that would be set or removed. */
  readonly changed: readonly string[];
  /** Which of its variables would change their types, as sentences. */
  readonly typeChanges: readonly string[];
  /** The version of the resource before the write; undefined if it would change nothing. */
  readonly version: number | undefined;
}

export const MAX_SHOWN_DEVICES = 30;

/** Reads the response to a dry run. */
export function readPreview(response: unknown): Preview {
  const body = asObject(response);
  const [object] = (asObject(body['change'])['objects'] as unknown[]).map(asObject);
  return {
    body,
    ...readImpact(body['impact']),
    changed: Object.keys(asObject(object?.['variables'] ?? {})),
    typeChanges: describeTypeChanges(body['change']),
    version: object && toNumber(asObject(object['before'])['version']),
  };
}

/** Prints a line for each changed value of each device. */
export async function printImpact(format: OutputFormat, { items }: Impact): Promise<void> {
  await printList(format, impactRows(format, items), {
    names: ['device', 'key', 'before', 'after'],
    name: 'device',
  });
}

const impactRows = (format: OutputFormat, items: readonly Row[]): Row[] =>
  variableChanges(items).map(({ name, key, before, after }) => ({
    device: name,
    key,
    ...displaySides(format, before, after),
  }));

/** The values of a variable before and after a change. A table marks a change of the type. */
export const displaySides = (format: OutputFormat, before: unknown, after: unknown): Row => ({
  before: displayValue(format, before),
  after: format === 'table' ? jsonText(after) + typeRemark(before, after) : after,
});

/** The number of affected devices in a change record; undefined if it is unknown, or hidden from the user. */
export function affectedDevices(record: unknown): number | undefined {
  const { impact } = asObject(record);
  return impact === null || impact === undefined ? undefined : toNumber(asObject(impact)['devices']);
}
