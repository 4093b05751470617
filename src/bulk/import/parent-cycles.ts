/** A device in a line whose parent is in another line. */
export interface ChildLine {
  [column: string]: unknown;
  readonly line: number;
  /** The line of the parent. */
  readonly parent: number;
}

/**
 * Orders devices that are in cycles, or below one, so that in each cycle only one precedes its parent: the others fail as a
 * consequence of it.
 * @returns their lines
 */
export function byChain(children: readonly ChildLine[]): number[] {
  const parents = new Map(children.map(({ line, parent }) => [line, parent]));
  return children.flatMap(({ line: start }) => {
    const chain: number[] = [];
    let line = start;
    for (let parent = parents.get(line); parent !== undefined; parent = parents.get(line)) {
      chain.push(line);
      parents.delete(line);
      line = parent;
    }
    return chain.reverse();
  });
}
