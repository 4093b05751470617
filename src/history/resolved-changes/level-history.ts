import { diffText, type VariableChange } from '../../changes/change-diff';
import { membersOf, type DocumentMembers } from '../../core/json/json-text';
import { comparePrecedence, decidingLevel, isLevelKind } from '../../variables/key-levels';

/** A level of a device, or the device itself, with the visible variables that it had at one time. */
export interface PastLevel {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly members: DocumentMembers;
}

/** The levels of a device at one time, broadest first; the last one is the device. Undefined: the device did not exist. */
export type PastLevels = readonly PastLevel[] | undefined;

/** What a change did to a level, or to the device. */
export interface LevelRecord {
  readonly kind: string;
  readonly id: number;
  readonly action: string;
  /** The name before the change; null for what it created. */
  readonly name_before: string | null;
  /** Both sides of each changed variable, as in the record: a document whose values are objects. */
  readonly variables: string;
}

/** A change of a resolved variable. */
export interface ResolvedChange extends VariableChange {
  /** Where the value comes from; if the change removed it, where it came from. */
  readonly level: PastLevel;
}

const findRecord = (records: readonly LevelRecord[], { kind, id }: PastLevel): LevelRecord | undefined =>
  records.find((record) => record.kind === kind && record.id === id && record.action === 'update');

/** The levels before a change that left the device where it was, from those after it and the records of the change. */
export function levelsBefore(
  levels: readonly PastLevel[],
  records: readonly LevelRecord[],
  sees: (key: string) => boolean,
): PastLevel[] {
  const before = levels.map((level) => {
    const record = findRecord(records, level);
    return record
      ? { ...level, name: record.name_before ?? level.name, members: undo(level, record, sees) }
      : level;
  });
  const [own] = before.splice(-1);
  const inherited = before
    .flatMap((level) => (isLevelKind(level.kind) ? [{ ...level, kind: level.kind }] : []))
    .sort(comparePrecedence);
  return own ? [...inherited, own] : inherited;
}

function undo(
  { members }: PastLevel,
  { variables }: LevelRecord,
  sees: (key: string) => boolean,
): DocumentMembers {
  const before = new Map(members);
  for (const [key, sides] of membersOf(variables)) {
    if (!sees(JSON.parse(key) as string)) continue;
    const value = membersOf(sides).get('"before"');
    if (value === undefined) before.delete(key);
    else before.set(key, value);
  }
  return before;
}

/** The keys whose resolved values can differ before and after a change that left the device where it was. */
export function keysOfRecords(levels: readonly PastLevel[], records: readonly LevelRecord[]): Set<string> {
  const keys = new Set<string>();
  for (const level of levels) {
    const record = findRecord(records, level);
    if (!record) continue;
    for (const key of membersOf(record.variables).keys()) keys.add(key);
    // The names of labels decide which of them wins.
    if (level.kind === 'label' && record.name_before !== level.name)
      for (const key of level.members.keys()) keys.add(key);
  }
  return keys;
}

/** All keys that levels set. */
export const keysOfLevels = (levels: PastLevels): string[] =>
  (levels ?? []).flatMap(({ members }) => [...members.keys()]);

/** Those of the keys whose resolved values differ. */
export function resolvedChanges(
  before: PastLevels,
  after: PastLevels,
  keys: Iterable<string>,
): ResolvedChange[] {
  const changes: ResolvedChange[] = [];
  for (const key of new Set(keys)) {
    const [old, now] = [decidingLevel(before ?? [], key), decidingLevel(after ?? [], key)];
    const level = now ?? old;
    const change = { key, before: old?.members.get(key), after: now?.members.get(key) };
    if (level && change.before !== change.after) changes.push({ ...change, level });
  }
  return changes;
}

/** Changes as a JSON object of both sides and the level, by key. */
export function resolvedChangesText(changes: readonly ResolvedChange[]): string {
  const members = changes.map((change) => {
    const [sides = '{}'] = membersOf(diffText([change])).values();
    const { kind, id, name } = change.level;
    return `${change.key}: ${sides.slice(0, -1)}, "level": ${JSON.stringify({ kind, id, name })}}`;
  });
  return `{${members.join(', ')}}`;
}
