import { isObject } from '../core/context/variable-keys';
import { InventoryError } from '../core/errors';
import { splitJsonArray, splitJsonObject } from '../core/json/json-text';
import type { ProposedBatch, ProposedWrite } from '../writes/proposer';
import type { Effects } from './impact-digest';
import { MAX_KEYS, MAX_RESOURCES, type ProposedResourceView } from './proposal.entity';

/** The maximum size of the operations of a revision, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Operations as they are stored. */
export interface ProposedOperations {
  /** An array, as JSON text. */
  readonly text: string;
  readonly bytes: number;
  readonly count: number;
}

/** The operations that a request proposes. @throws InventoryError 413 */
export function proposedOperations(proposed: ProposedWrite | ProposedBatch): ProposedOperations {
  return operationsOf('operations' in proposed ? proposed.operations : `[${operationText(proposed)}]`);
}

/** @param text an array, as JSON text @throws InventoryError 413 */
export function operationsOf(text: string): ProposedOperations {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_BYTES)
    throw new InventoryError('payload_too_large', 'The operations of a proposal can have 8 MiB.', [
      { field: 'operations', code: 'too_long', message: `must have at most ${String(MAX_BYTES)} bytes` },
    ]);
  return { text: text.trim(), bytes, count: splitJsonArray(text).length };
}

function operationText({ method, path, body, ifMatch, ifNoneMatch }: ProposedWrite): string {
  const head = JSON.stringify({ method, path, if_match: ifMatch, if_none_match: ifNoneMatch });
  return body === undefined ? head : `${head.slice(0, -1)},"body":${body}}`;
}

/** The reason in the body of a proposed write. */
export function noteOf(proposed: ProposedWrite | ProposedBatch): string | null | undefined {
  if ('operations' in proposed) return proposed.note;
  const body: unknown = proposed.body === undefined ? undefined : JSON.parse(proposed.body);
  const note = isObject(body) ? body['note'] : undefined;
  return typeof note === 'string' ? note : undefined;
}

const PRECONDITIONS = ['if_match', 'if_none_match'];

/** The same operations without their preconditions. */
export function withoutPreconditions(operations: string): string {
  const texts = splitJsonArray(operations).map((text) => {
    const members = [...splitJsonObject(text)].filter(([name]) => !PRECONDITIONS.includes(name));
    return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
  });
  return `[${texts.join(',')}]`;
}

/** By what a proposal is listed. */
export interface Listed {
  readonly resources: readonly ProposedResourceView[];
  readonly keys: string[];
}

/**
 * The resources and variables that a proposal writes. Of the resources, one of each kind comes first, and existing ones before new ones:
 * proposals are found by them.
 * @param named private variables that its operations name, such as in a filter: who may not see them does not see it
 * @throws InventoryError 400 if it writes too many variables
 */
export function listedBy({ resources }: Effects, named: readonly string[]): Listed {
  const listed = new Map<string, ProposedResourceView>();
  const kinds = new Map<string, ProposedResourceView>();
  const keys = new Set(named);
  for (const { kind, id, name, hasHiddenName, key } of resources) {
    if (key !== undefined) keys.add(key);
    // Resources that it creates have negative numbers instead of ids, and the settings of the project 0.
    const identity = `${kind} ${String(id)}`;
    if (listed.has(identity)) continue;
    const resource = { kind, id: id > 0 ? id : null, name: hasHiddenName ? null : name };
    listed.set(identity, resource);
    if (!kinds.has(kind)) kinds.set(kind, resource);
  }
  if (keys.size > MAX_KEYS)
    throw InventoryError.invalid(
      'operations',
      'limit_exceeded',
      `must write at most ${String(MAX_KEYS)} variables together`,
    );
  const existing = [...listed.values()].filter(({ id }) => id !== null);
  const all = new Set([...kinds.values(), ...existing, ...listed.values()]);
  return { resources: [...all].slice(0, MAX_RESOURCES), keys: [...keys].sort() };
}
