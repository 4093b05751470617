import type { Caller, Resource } from '../../support/caller';

/** Where damage is prepared over HTTP, while all is sound. */
export interface Fleet {
  readonly owner: Caller;
  /** The admin of another project. */
  readonly other: Caller;
  readonly root: Caller;
  /** Reads what HTTP does not show. */
  readonly value: (statement: string) => Promise<string>;
}

/** Damage that is done by SQL, and all that has to be found of it: `check: kind id: problem`, changes as `N`. */
export interface Damaged {
  readonly sql: string;
  readonly faults: readonly string[];
}

export type Prepare = (fleet: Fleet) => Promise<Damaged>;

export const idOf = async (resource: Promise<Resource>) => String((await resource).id);
export const A = { variables: { a: 1 } };

export const notAsLeft = (kind: string, id: string, members: string) =>
  `present state: ${kind} ${id}: differs from the state after the change N: ${members}`;

/** The id of the only change that there is of a resource. */
export async function changeOf(caller: Caller, kind: string, id: string): Promise<string> {
  const { body } = await caller.get(`/v1/changes?kind=${kind}&object_id=${id}`).expect(200);
  const [change] = body as { id: number }[];
  return String(change!.id);
}
