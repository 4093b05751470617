import { deviceIdentity } from './line-check';
import type { SeenNames } from './name-index';
import type { Entry, Spool } from './line-file';

/** Numbers without end, eight bytes each. */
class Numbers {
  private values = new Float64Array(256);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Float64Array(2 * this.length);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }

  at(index: number): number {
    return this.values[index] ?? 0;
  }

  /** Where a value stands, of values that ascend; -1 where it does not. */
  indexOf(value: number): number {
    let [low, high] = [0, this.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const there = this.at(middle);
      if (there === value) return middle;
      if (there < value) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

/** Devices whose parents stand later, or are not among the lines at all. They are written parents first. */
export class WaitingDevices {
  private readonly lines = new Numbers();
  /** Where each stands in the spool. */
  private readonly places = new Numbers();

  constructor(readonly spool: Spool) {}

  has(line: number): boolean {
    return this.lines.indexOf(line) >= 0;
  }

  async add(line: number, text: string): Promise<void> {
    this.lines.push(line);
    this.places.push(await this.spool.add(line, text));
  }

  /**
   * All entries, each after the one of its parent; of a ring, one has to be the first. One at a time: each may have
   * megabytes.
   */
  async *entries(seen: SeenNames): AsyncGenerator<Entry[]> {
    for (const index of await this.order(seen)) yield [await this.spool.entryAt(this.places.at(index))];
  }

  private async order(seen: SeenNames): Promise<Int32Array> {
    const parents = await this.parents(seen);
    const order = new Int32Array(parents.length);
    const isPlaced = new Uint8Array(parents.length);
    let placed = 0;
    for (let start = 0; start < parents.length; start++) {
      const chain: number[] = [];
      for (let at = start; at >= 0 && isPlaced[at] === 0; at = parents[at] ?? -1) {
        isPlaced[at] = 1;
        chain.push(at);
      }
      for (const index of chain.reverse()) order[placed++] = index;
    }
    return order;
  }

  /** For each the one that is its parent; -1 for a parent that is not among them. */
  private async parents(seen: SeenNames): Promise<Int32Array> {
    const parents = new Int32Array(this.lines.length);
    let index = 0;
    for await (const entries of this.spool.entries())
      for (const { text } of entries) {
        const { parent } = JSON.parse(text) as { readonly parent: string };
        parents[index++] = this.lines.indexOf(seen.lineOf(deviceIdentity(parent)) ?? -1);
      }
    return parents;
  }
}
