import { resources } from '../../api/resources';
import { wordOf } from '../../lookup/resource-finder';
import { usage } from '../../cli-error';
import { asObject, plainNumber } from '../../api/exact-json';
import { type Format, printList, type Row, shownValue } from '../../output/formats';
import { alteredMembers, type AlteredMember } from '../dry-run';

/** The record of a change, as the API has it. */
export interface ChangeRecord {
  readonly members: Row;
  /** The first of what it touched. */
  readonly objects: readonly Row[];
  /** How many it touched. */
  readonly total: number;
}

/** Reads a record in an answer. */
export function recordOf(answer: unknown): ChangeRecord {
  const members = asObject(answer);
  return {
    members,
    objects: (members['objects'] as unknown[]).map(asObject),
    total: plainNumber(members['objects_total']),
  };
}

/** An id of a change as it is given. @throws Failure where it cannot be one */
export function parseChange(given: string): string {
  if (/^\d{1,15}$/.test(given)) return given;
  throw usage(`${JSON.stringify(given)} is no id of a change: "muster change list" shows them.`);
}

/** What a table tells of a change by itself. @param devices null: it is not known how many, or not for the reader */
export const headOf = ({ members }: ChangeRecord): Row => ({
  id: members['id'],
  time: members['created_at'],
  who: asObject(members['actor'])['username'],
  devices: members['impact'] === null ? null : asObject(members['impact'])['devices'],
  reason: members['reason'],
});

/** What became of one thing: its members, and its own variables. */
function alteredIn({ before, after, variables }: Row): AlteredMember[] {
  const ofVariables = Object.entries(asObject(variables ?? {})).map(([key, sides]) => ({
    member: `variables.${key}`,
    ...(asObject(sides) as { before?: unknown; after?: unknown }),
  }));
  return [
    ...alteredMembers(before, after),
    ...ofVariables.map(({ member, ...sides }) => ({ member, before: sides.before, after: sides.after })),
  ];
}

/** What a change did, in a few words: `update host web-1: variables.kernel`, `create region north, 25 hosts`. */
export function summaryOf({ objects, total }: ChangeRecord): string {
  const [only, ...others] = objects;
  if (only && others.length === 0 && total === 1) {
    const altered = only['action'] === 'update' ? alteredIn(only).map(({ member }) => member) : [];
    return `${deedOf(only)}${altered.length > 0 ? `: ${altered.join(', ')}` : ''}`;
  }
  const alike = new Map<string, Row[]>();
  for (const object of objects) {
    const deed = `${String(object['action'])} ${String(object['kind'])}`;
    alike.set(deed, [...(alike.get(deed) ?? []), object]);
  }
  const deeds = [...alike.values()].map(deedsOf);
  const more = total - objects.length;
  return [...deeds, ...(more > 0 ? [`and ${String(more)} more`] : [])].join(', ');
}

const deedOf = ({ action, kind, name }: Row): string =>
  `${String(action)} ${wordOf(String(kind))} ${String(name)}`;

/** @param alike things of one kind of which the same became */
function deedsOf(alike: readonly Row[]): string {
  const [first = {}, ...others] = alike;
  if (others.length === 0) return deedOf(first);
  const kind = String(first['kind']);
  const collection = resources.find((one) => one.kind === kind)?.collection ?? `${kind}s`;
  return `${String(first['action'])} ${String(alike.length)} ${wordOf(collection)}`;
}

/** Prints what became of things: a line for each member and each variable that is another one by it. */
export const printAltered = (format: Format, objects: AsyncIterable<Row> | Iterable<Row>): Promise<void> =>
  printList(format, rowsOf(format, objects), {
    names: ['action', 'what', 'member', 'before', 'after'],
    name: 'what',
  });

async function* rowsOf(format: Format, objects: AsyncIterable<Row> | Iterable<Row>): AsyncGenerator<Row> {
  for await (const object of objects) {
    const what = `${wordOf(String(object['kind']))} ${String(object['name'])}`;
    const thing = { action: object['action'], what };
    const altered = alteredIn(object);
    // A write that found everything as it wanted it has touched it all the same.
    if (altered.length === 0) yield thing;
    for (const { member, before, after } of altered)
      yield { ...thing, member, before: shownValue(format, before), after: shownValue(format, after) };
  }
}
