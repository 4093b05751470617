/** An item of one of NetBox's trees: a region, site group, location, role or platform. */
export interface TreeItem {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  /** The id of the parent. */
  readonly parent: string | undefined;
}

/** One of NetBox's trees. */
export class Tree {
  private readonly items: ReadonlyMap<string, TreeItem>;

  constructor(items: readonly TreeItem[]) {
    this.items = new Map(items.map((item) => [item.id, item]));
  }

  has(id: string): boolean {
    return this.items.has(id);
  }

  [Symbol.iterator](): Iterator<TreeItem> {
    return this.items.values();
  }

  /** The items from the top level down to an item; empty if it is not in the tree. */
  pathOf(id: string): TreeItem[] {
    const path: TreeItem[] = [];
    for (let item = this.items.get(id); item && !path.includes(item); item = this.parentOf(item))
      path.unshift(item);
    return path;
  }

  private parentOf({ parent }: TreeItem): TreeItem | undefined {
    return parent === undefined ? undefined : this.items.get(parent);
  }
}
