import { asObject, exactJson } from '../api/exact-json';

/** A member of something, before a change and after it: undefined where there is none. */
export interface AlteredMember {
  readonly member: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Members that change with every change, or say nothing that others do not say. */
const BESIDE = new Set(['id', 'uuid', 'project_id', 'created_at', 'updated_at', 'version']);

/**
 * The members that differ between two sides of something. Of what came into being, or has gone, those that are not empty.
 * @param before null for what was not there
 * @param after null for what is there no more
 */
export function alteredMembers(before: unknown, after: unknown): AlteredMember[] {
  const [old, now] = [asObject(before ?? {}), asObject(after ?? {})];
  const isWhole = isNone(before) || isNone(after);
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((member) => !BESIDE.has(member) && textOf(old[member]) !== textOf(now[member]))
    .filter((member) => !isWhole || !isEmpty(old[member] ?? now[member]))
    .map((member) => ({ member, before: old[member], after: now[member] }));
}

const isNone = (side: unknown): boolean => side === null || side === undefined;
const isEmpty = (value: unknown): boolean => isNone(value) || value === '';
const textOf = (value: unknown): string => (value === undefined ? '' : exactJson.stringify(value));
