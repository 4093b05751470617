import type { Listed, Page } from './list-engine';

/** So many items of a list, behind a position, in one direction or the other. */
export interface Walk<P> {
  readonly after: P | undefined;
  readonly descending: boolean;
  readonly limit: number;
}

/** A list whose items are told apart by several values, which together are a position in it. */
export interface PositionedList<P, R> {
  readonly descending: boolean;
  readonly limit: number;
  /** The position of the last item seen. */
  readonly after: P | undefined;
  /** Reads items with all that is shown of them. */
  readonly items: (walk: Walk<P>) => Promise<Listed<R>[]>;
  /** Reads no more of them than where they are. */
  readonly positions: (walk: Walk<P>) => Promise<P[]>;
  /** Where an item of a page is. */
  readonly positionOf: (item: R) => P;
  /** How a position is written as a marker. */
  readonly markerOf: (position: P) => string;
}

/** Reads a page of such a list, and looks for its neighbours by walking the other way, as the list engine does. */
export async function readPage<P, R>(list: PositionedList<P, R>): Promise<Page<R>> {
  const { after, descending, limit, positions, markerOf } = list;
  const rows = await list.items({ after, descending, limit: limit + 1 });
  const more = rows.length > limit;
  if (more) rows.pop();
  const end = rows.at(-1);
  const back = { descending: !descending };
  const before = after === undefined ? [] : await positions({ ...back, after, limit });
  const fromTheEnd = more ? await positions({ ...back, after: undefined, limit: limit + 1 }) : [];
  const [previous, last] = [before[limit - 1], fromTheEnd[limit]];
  return {
    rows,
    next: more && end !== undefined ? markerOf(list.positionOf(end)) : undefined,
    previous: after === undefined ? undefined : previous === undefined ? null : markerOf(previous),
    last: last === undefined ? undefined : markerOf(last),
  };
}
