import { hash } from 'node:crypto';

/** The table doubles its size beyond this load factor. */
const MAX_LOAD_FACTOR = 0.6;
const INITIAL_SLOTS = 1024;
/** A slot has four 32-bit numbers: 96 bits of the digest, so that names do not collide, and the line. */
const SLOT_WIDTH = 4;

/** A hash table from names to lines. It stores digests of names, so a million names take 32 MB of memory. */
export class NameIndex {
  private slots = INITIAL_SLOTS;
  private table = new Uint32Array(INITIAL_SLOTS * SLOT_WIDTH);
  private count = 0;

  /** Adds a name. @returns the line that already has the name; undefined if the name was added */
  add(name: string, line: number): number | undefined {
    const digest = digestOf(name);
    const slot = this.findSlot(this.table, digest);
    const earlierLine = this.table[slot + 3];
    if (earlierLine) return earlierLine;
    this.table.set([...digest, line], slot);
    if (++this.count > this.slots * MAX_LOAD_FACTOR) this.grow();
    return undefined;
  }

  /** The line of a name; undefined if the name was not added. */
  findLine(name: string): number | undefined {
    return this.table[this.findSlot(this.table, digestOf(name)) + 3] || undefined;
  }

  /** The slot of a digest, or the free slot for it. */
  private findSlot(table: Uint32Array, [a, b, c]: Digest): number {
    const end = table.length;
    let slot = (a % (end / SLOT_WIDTH)) * SLOT_WIDTH;
    while (table[slot + 3] !== 0 && (table[slot] !== a || table[slot + 1] !== b || table[slot + 2] !== c))
      slot = (slot + SLOT_WIDTH) % end;
    return slot;
  }

  private grow(): void {
    this.slots *= 2;
    const larger = new Uint32Array(this.slots * SLOT_WIDTH);
    for (let at = 0; at < this.table.length; at += SLOT_WIDTH) {
      const [a = 0, b = 0, c = 0, line = 0] = this.table.subarray(at, at + SLOT_WIDTH);
      if (line !== 0) larger.set([a, b, c, line], this.findSlot(larger, [a, b, c]));
    }
    this.table = larger;
  }
}

type Digest = readonly [number, number, number];

function digestOf(name: string): Digest {
  const digest = hash('sha1', name, 'buffer');
  return [digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8)];
}
