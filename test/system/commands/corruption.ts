import type { Caller, Resource } from '../../support/caller';

/** The undamaged service, in which resources are prepared over HTTP. */
export interface Fleet {
  readonly owner: Caller;
  /** The admin of another project. */
  readonly other: Caller;
  readonly root: Caller;
  /** Reads a value that the API does not show. */
  readonly value: (statement: string) => Promise<string>;
}

/** Damage done by SQL, and the faults that `verify` must report: `check: kind id: problem`, with change IDs as `N`. */
export interface Damaged {
  readonly sql: string;
  readonly faults: readonly string[];
}

export type Prepare = (fleet: Fleet) => Promise<Damaged>;

export const idOf = async (resource: Promise<Resource>) => String((await resource).id);
export const A = { variables: { a: 1 } };

export const notAsLeft = (kind: string, id: string, members: string) =>
  `present state: ${kind} ${id}: differs from the state after the change N: ${members}`;

/** The ID of the only change of a resource. */
export async function changeOf(caller: Caller, kind: string, id: string): Promise<string> {
  const { body } = await caller.get(`/v1/changes?kind=${kind}&object_id=${id}`).expect(200);
  const [change] = body as { id: number }[];
  return String(change!.id);
}
