import { isSameJson } from '../api/exact-json';
import type { PlainRequest } from '../api/request';
import { memberTitle } from './member-title';

/** An entity tag that no variable has: a write with it is a conflict. */
export const UNKNOWN_TAG = '"c0"';

/** A value that may not be set, or values by what they are of: `Labels`, or `web-1: kernel`. */
export type Side = { readonly value: unknown } | { readonly values: ConflictValues } | undefined;

export type ConflictValues = Readonly<Record<string, ConflictValue>>;

/** One of several values that are in conflict. */
export interface ConflictValue {
  readonly value: unknown;
  /** The member of a resource that it is; undefined for a variable. */
  readonly member?: string | undefined;
}

/** Whether both are the same: not set, the same value, or the same values. */
function isSameSide(one: Side, other: Side): boolean {
  if (!one || !other) return one === other;
  if ('value' in one || 'value' in other)
    return 'value' in one && 'value' in other && isSameJson(one.value, other.value);
  return isSameJson(one.values, other.values);
}

/** Members of a resource as the side of a conflict. */
export const membersSide = (members: Readonly<Record<string, unknown>>): Side => ({
  values: Object.fromEntries(
    Object.entries(members).map(([member, value]) => [memberTitle(member), { value, member }]),
  ),
});

/** What is needed to resolve a conflict with somebody else's change. */
export interface Conflict {
  /** When the editing began. Undefined: it was not set then, or it was not read. */
  readonly base: Side;
  readonly mine: Side;
  /** Reads the current value, and the request that replaces exactly that one. */
  readonly read: (signal: AbortSignal) => Promise<CurrentSide>;
}

export interface CurrentSide {
  readonly theirs: Side;
  readonly request: PlainRequest;
  /** What is shown of both others, if only a part of many values is in conflict. */
  readonly base?: Side;
  readonly mine?: Side;
  /** The operations of a batch that are in conflict, counted from 0. */
  readonly inConflict?: readonly number[];
}

/** What somebody else has done meanwhile to what is written. */
export type Situation =
  /** Another value was written. */
  | 'changed'
  /** It was not set, and is now. */
  | 'set'
  /** The same was written: nothing is left to do. */
  | 'same'
  /** Something else of the resource was changed. */
  | 'untouched';

/** @param data what it is now; undefined while it is read */
export function situationOf(base: Side, mine: Side, data: CurrentSide | undefined): Situation {
  if (data && isSameSide(data.theirs, mine)) return 'same';
  if (data && base && isSameSide(data.theirs, base)) return 'untouched';
  return base ? 'changed' : 'set';
}
