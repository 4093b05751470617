import { deviceIdentity } from './line-check';
import type { SeenNames } from './name-index';
import type { Entry, Spool } from './line-file';

/** A growing array of numbers that takes eight bytes per number. */
class NumberList {
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

  /** The index of a value in an ascending list, or -1. */
  indexOf(value: number): number {
    let [low, high] = [0, this.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const candidate = this.at(middle);
      if (candidate === value) return middle;
      if (candidate < value) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

/** Devices whose parent is in a later line, or not in the body. They are written after their parents. */
export class WaitingDevices {
  private readonly lines = new NumberList();
  /** The position of each device in the file. */
  private readonly positions = new NumberList();

  constructor(readonly spool: Spool) {}

  has(line: number): boolean {
    return this.lines.indexOf(line) >= 0;
  }

  async add(line: number, text: string): Promise<void> {
    this.lines.push(line);
    this.positions.push(await this.spool.add(line, text));
  }

  /**
   * Reads all entries, parents before children. A cycle starts at any of its members. Entries are read one at a time,
   * because each can have megabytes.
   */
  async *entries(nameIndex: SeenNames): AsyncGenerator<Entry[]> {
    for (const index of await this.sortByParent(nameIndex))
      yield [await this.spool.entryAt(this.positions.at(index))];
  }

  private async sortByParent(nameIndex: SeenNames): Promise<Int32Array> {
    const parents = await this.findParents(nameIndex);
    const order = new Int32Array(parents.length);
    const isOrdered = new Uint8Array(parents.length);
    let count = 0;
    for (let start = 0; start < parents.length; start++) {
      const chain: number[] = [];
      for (let next = start; next >= 0 && isOrdered[next] === 0; next = parents[next] ?? -1) {
        isOrdered[next] = 1;
        chain.push(next);
      }
      for (const index of chain.reverse()) order[count++] = index;
    }
    return order;
  }

  /** The index of the parent of each device; -1 if the parent is not in this file. */
  private async findParents(nameIndex: SeenNames): Promise<Int32Array> {
    const parents = new Int32Array(this.lines.length);
    let index = 0;
    for await (const entries of this.spool.entries())
      for (const { text } of entries) {
        const { parent } = JSON.parse(text) as { readonly parent: string };
        parents[index++] = this.lines.indexOf(nameIndex.lineOf(deviceIdentity(parent)) ?? -1);
      }
    return parents;
  }
}
