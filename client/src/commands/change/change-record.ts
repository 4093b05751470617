import { asObject, toNumber } from '../../api/exact-json';
import { resources } from '../../api/resources';
import { usageError } from '../../cli-error';
import { affectedDevices, displaySides, memberChanges, type MemberChange } from '../impact-preview';
import { displayKind } from '../../lookup/resource-finder';
import { printList, type OutputFormat, type Row, type Rows } from '../../output/formats';

/** A change record of the API. */
export interface ChangeRecord {
  readonly members: Row;
  /** The first of the changed objects. */
  readonly objects: readonly Row[];
  /** The number of changed objects. */
  readonly total: number;
}

/** Reads a change record in a response. */
export function readChange(response: unknown): ChangeRecord {
  const members = asObject(response);
  return {
    members,
    objects: (members['objects'] as unknown[]).map(asObject),
    total: toNumber(members['objects_total']),
  };
}

/** Checks the id of a change. @throws CliError */
export function parseChangeId(text: string): string {
  if (/^\d{1,15}$/.test(text)) return text;
  throw usageError(`Invalid change id ${JSON.stringify(text)}: "muster change list" shows the ids.`);
}

/** A change as a row of a table. `devices` is null if the number is unknown, or hidden from the user. */
export const changeSummaryRow = ({ members }: ChangeRecord): Row => ({
  id: members['id'],
  time: members['created_at'],
  who: asObject(members['actor'])['username'],
  devices: affectedDevices(members) ?? null,
  reason: members['reason'],
});

/** The changed members and variables of one object. */
function objectChanges({ before, after, variables }: Row): MemberChange[] {
  const variableChanges = Object.entries(asObject(variables ?? {})).map(([key, values]) => {
    const sides = asObject(values);
    return { member: `variables.${key}`, before: sides['before'], after: sides['after'] };
  });
  return [...memberChanges(before, after), ...variableChanges];
}

/** A change in a few words: `update host web-1: variables.kernel`, `create region north, 25 hosts`. */
export function summarizeChange({ objects, total }: ChangeRecord): string {
  const [only, ...others] = objects;
  if (only && others.length === 0 && total === 1) {
    const changes = only['action'] === 'update' ? objectChanges(only).map(({ member }) => member) : [];
    return `${actionText(only)}${changes.length > 0 ? `: ${changes.join(', ')}` : ''}`;
  }
  const groups = new Map<string, Row[]>();
  for (const object of objects) {
    const group = `${String(object['action'])} ${String(object['kind'])}`;
    groups.set(group, [...(groups.get(group) ?? []), object]);
  }
  const texts = [...groups.values()].map(groupedActionText);
  const more = total - objects.length;
  return [...texts, ...(more > 0 ? [`and ${String(more)} more`] : [])].join(', ');
}

const actionText = ({ action, kind, name }: Row): string =>
  `${String(action)} ${displayKind(String(kind))} ${String(name)}`;

/** @param objects objects of one kind with the same action */
function groupedActionText(objects: readonly Row[]): string {
  const [first = {}, ...others] = objects;
  if (others.length === 0) return actionText(first);
  const kind = String(first['kind']);
  const collection = resources.find((one) => one.kind === kind)?.collection ?? `${kind}s`;
  return `${String(first['action'])} ${String(objects.length)} ${displayKind(collection)}`;
}

/** Prints a line for each changed member and variable of each object. */
export const printObjectChanges = (format: OutputFormat, objects: Rows): Promise<void> =>
  printList(format, objectChangeRows(format, objects), {
    names: ['action', 'what', 'member', 'before', 'after'],
    name: 'what',
  });

async function* objectChangeRows(format: OutputFormat, objects: Rows): AsyncGenerator<Row> {
  for await (const object of objects) {
    const what = `${displayKind(String(object['kind']))} ${String(object['name'])}`;
    const common = { action: object['action'], what };
    const changes = objectChanges(object);
    // A write that changed nothing is recorded, too.
    if (changes.length === 0) yield common;
    for (const { member, before, after } of changes)
      yield { ...common, member, ...displaySides(format, before, after) };
  }
}
