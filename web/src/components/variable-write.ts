import { isStatus } from '../api/errors';
import { isSameJson, jsonText, parseJson } from '../api/exact-json';
import { send, type PlainRequest } from '../api/request';
import { UNKNOWN_TAG, type Side } from './conflict';
import type { WriteRequest, DeferredWrite } from './planned-write';

/** A resource that has variables. */
export interface VariableOwner {
  readonly kind: string;
  readonly collection: string;
  readonly id: number;
  readonly name: string;
}

/** Identifies a resource that has variables: `region/17`. */
export const ownerKey = ({ kind, id }: Pick<VariableOwner, 'kind' | 'id'>): string => `${kind}/${id}`;

/** An own variable as it was read, with its entity tag. */
export interface OwnVariable {
  /** Undefined if the resource does not set the key itself. */
  readonly current: { readonly value: unknown; readonly etag: string } | undefined;
}

/** A key that the resource does not set itself. */
export const NOT_SET: OwnVariable = { current: undefined };

const pathOf = ({ collection, id }: VariableOwner, key: string): string =>
  `/v1/${collection}/${id}/variables/${encodeURIComponent(key)}`;

const isVariable = (body: unknown): body is { readonly value: unknown } =>
  typeof body === 'object' && body !== null && 'value' in body;

/** Reads one own variable. @throws ApiError, NetworkError */
export async function readOwnVariable(
  owner: VariableOwner,
  key: string,
  signal?: AbortSignal,
): Promise<OwnVariable> {
  try {
    const { body, response } = await send({ method: 'GET', path: pathOf(owner, key) }, signal);
    const etag = response.headers.get('etag');
    return { current: isVariable(body) && etag !== null ? { value: body.value, etag } : undefined };
  } catch (error) {
    if (isStatus(error, 404)) return NOT_SET;
    throw error;
  }
}

/**
 * A variable as the user has seen it, with its entity tag. If it was changed since, the tag is one that it cannot have, so that the
 * write is a conflict.
 * @param seen undefined: that the resource does not set it
 */
export function seenVariable(
  seen: { readonly value: unknown } | undefined,
  { current }: OwnVariable,
): OwnVariable {
  if (!seen) return NOT_SET;
  const isSame = current !== undefined && isSameJson(current.value, seen.value);
  return { current: isSame ? current : { value: seen.value, etag: UNKNOWN_TAG } };
}

/** The condition under which a write does not overwrite a change by somebody else. */
const conditionOf = ({ current }: OwnVariable): Readonly<Record<string, string>> =>
  current ? { 'If-Match': current.etag } : { 'If-None-Match': '*' };

/**
 * The plan to set an own variable, or to override an inherited one.
 * @param readBase reads the variable as the user has seen it
 * @param text the new value as JSON text
 */
export function planSetVariable(
  owner: VariableOwner,
  key: string,
  readBase: (signal: AbortSignal) => Promise<OwnVariable>,
  text: string,
): DeferredWrite {
  const request = (known: OwnVariable): PlainRequest => ({
    method: 'PUT',
    path: pathOf(owner, key),
    headers: conditionOf(known),
    // Not `JSON.stringify` of the parsed value: the text has every digit.
    body: `{"value": ${text}}`,
  });
  return {
    title: `Set ${key} on ${owner.name}`,
    command: ['muster', 'vars', 'set', owner.kind, owner.name, `${key}:=${text}`],
    prepare: async (signal) =>
      prepared(owner, key, await readBase(signal), { value: parseJson(text) }, request),
  };
}

/**
 * The plan to remove an own variable, so that the device inherits the key, if a broader level sets it.
 * @param seen what the user has seen
 */
export function planUnsetVariable(
  owner: VariableOwner,
  key: string,
  seen: { readonly value: unknown },
): DeferredWrite {
  const request = (known: OwnVariable): PlainRequest => ({
    method: 'DELETE',
    path: pathOf(owner, key),
    ...(known.current ? { headers: { 'If-Match': known.current.etag } } : {}),
  });
  return {
    title: `Unset ${key} on ${owner.name}`,
    command: ['muster', 'vars', 'unset', owner.kind, owner.name, key],
    prepare: async (signal) =>
      prepared(owner, key, seenVariable(seen, await readOwnVariable(owner, key, signal)), undefined, request),
  };
}

const prepared = (
  owner: VariableOwner,
  key: string,
  base: OwnVariable,
  mine: Side,
  request: (known: OwnVariable) => PlainRequest,
): WriteRequest => ({
  request: request(base),
  conflict: {
    base: base.current,
    mine,
    read: async (signal) => {
      const known = await readOwnVariable(owner, key, signal);
      return { theirs: known.current, request: request(known) };
    },
  },
});

/** What is wrong with a text as the JSON of a JSON Schema; undefined if nothing is. */
export function schemaProblem(text: string): string | undefined {
  if (text.trim() === '') return 'Enter a JSON Schema: { … }.';
  try {
    parseJson(text);
  } catch {
    return 'Not valid JSON. Names and texts need double quotes.';
  }
  return undefined;
}

/** A value as text for an editor: scalars on one line, documents indented. */
export const editorText = (value: unknown): string => jsonText(value, 2);
