import { createHmac } from 'node:crypto';
import { referencedTable } from '../batch/references';
import { type ChangeDiff, memberChanges, type ObjectDiff } from '../changes/change-diff';
import type { EffectGroup } from '../changes/impact-assessor';
import { membersIn } from '../changes/resource-snapshot';
import type { Visibility } from '../core/context/variable-keys';
import { membersOf, membersOfRow } from '../core/json/json-text';
import { isProposal } from './proposal-kind';

/** A member or a variable that a change writes. The values are JSON texts; undefined where it is not set. */
export interface ResourceEffect {
  readonly kind: string;
  /** A resource that the change creates has a negative number, by its position among these. */
  readonly id: number;
  readonly name: string;
  /** Whether it depends on the variables that a caller sees whether the caller sees the resource, and so its name. */
  readonly hasHiddenName?: true;
  readonly field: string;
  /** Set for a variable. */
  readonly key?: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What a change does, for a reader who sees everything. */
export interface Effects {
  readonly groups: readonly EffectGroup[];
  readonly resources: readonly ResourceEffect[];
}

/** Members that differ from one run to the next, or that every write sets. */
const NOT_COMPARED = ['id', 'uuid', 'project_id', 'created_at', 'updated_at', 'version'].map((name) =>
  JSON.stringify(name),
);

/** What a change writes to resources. The proposal that it applies is not part of it. */
export function resourceEffects({ objects }: Pick<ChangeDiff, 'objects'>): ResourceEffect[] {
  const written = objects.filter(({ mapping }) => !isProposal(mapping));
  const created = written.filter(({ action }) => action === 'create');
  const numbers = new Map(created.map(({ mapping, id }, i) => [`${mapping.table} ${String(id)}`, -1 - i]));
  return written.flatMap((object) => effectsOn(object, numbers));
}

/** @param numbers those of the created resources, by table and id */
function effectsOn(object: ObjectDiff, numbers: ReadonlyMap<string, number>): ResourceEffect[] {
  const { mapping, id, name, before, after, variables } = object;
  const numberOf = (table: string, of: string) => numbers.get(`${table} ${of}`);
  const resource = {
    kind: mapping.kind,
    id: numberOf(mapping.table, String(id)) ?? id,
    name,
    ...(mapping.referencedVariableKeys ? { hasHiddenName: true as const } : {}),
  };
  const members = (side: ObjectDiff['after']) =>
    side ? membersOfRow(membersIn(side)) : new Map<string, string>();
  // A reference to a created resource has its number, because the id is another one in the next run.
  const stable = (field: string, value: string | undefined) => {
    const table = referencedTable(field);
    const number = table === undefined || value === undefined ? undefined : numberOf(table, value);
    return number === undefined ? value : `#${String(number)}`;
  };
  return [
    ...memberChanges(members(before), members(after))
      .filter(({ key }) => !NOT_COMPARED.includes(key))
      .map((change) => {
        const field = JSON.parse(change.key) as string;
        return {
          ...resource,
          field,
          before: stable(field, change.before),
          after: stable(field, change.after),
        };
      }),
    ...(object.action === 'update'
      ? variables
      : memberChanges(membersOf(before?.variables ?? '{}'), membersOf(after?.variables ?? '{}'))
    ).map((change) => {
      const key = JSON.parse(change.key) as string;
      return { ...resource, field: `variables.${key}`, key, before: change.before, after: change.after };
    }),
  ];
}

/** The effects that somebody may see. */
export const visibleEffects = ({ groups, resources }: Effects, visibility: Visibility): Effects => ({
  groups: groups.filter(({ key }) => visibility.sees(JSON.parse(key) as string)),
  resources: resources.filter(({ key }) => key === undefined || visibility.sees(key)),
});

/**
 * Identifies effects: equal sets have equal digests, in whatever order they were found. It contains no times, versions, and
 * ids of new resources. Without the secret, nobody can compute the digest of effects that they guess.
 * @param secret of the proposal
 * @returns 64 hexadecimal digits
 */
export function impactDigest(secret: Buffer, { groups, resources }: Effects): string {
  const digestOf = (text: string, ids?: Float64Array) => {
    const hmac = createHmac('sha256', secret).update(text);
    if (ids) hmac.update('\0').update(new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength));
    return hmac.digest('hex');
  };
  const sides = ({ before, after }: Pick<ResourceEffect, 'before' | 'after'>) => [
    before ?? null,
    after ?? null,
  ];
  const entries = [
    ...groups.map((group) =>
      digestOf(
        JSON.stringify([group.key, ...sides(group)]),
        group.devices instanceof Float64Array ? group.devices : Float64Array.from(group.devices),
      ),
    ),
    ...resources.map((effect) =>
      digestOf(JSON.stringify([effect.kind, effect.id, effect.field, ...sides(effect)])),
    ),
  ];
  return digestOf(entries.sort().join());
}
