import type { components } from '@muster/api-types';
import { jsonText } from '../api/exact-json';

/** Members that change with every write, or that say nothing about a resource that was created or deleted. */
const BOOKKEEPING = new Set(['version', 'updated_at', 'created_at', 'id', 'uuid', 'project_id', 'name']);

/** The members that differ, each with its sides. Those of a new or deleted resource have one side. */
export function changedMembers({
  before,
  after,
}: Pick<components['schemas']['ChangedObject'], 'before' | 'after'>): [string, unknown][] {
  const names = Object.keys({ ...before, ...after });
  return names
    .filter((name) => !BOOKKEEPING.has(name) || (name === 'name' && before && after))
    .filter((name) => jsonText(before?.[name] ?? null) !== jsonText(after?.[name] ?? null))
    .map((name) => [
      name,
      { ...(before ? { before: before[name] } : {}), ...(after ? { after: after[name] } : {}) },
    ]);
}
