import { hash } from 'node:crypto';

/** At most so much of the table is taken; beyond that it is made twice as large. */
const FULLEST = 0.6;
const LEAST_SLOTS = 1024;
/** Numbers of 32 bits: three of a digest, so that no two names are taken for one, and the line. */
const WIDTH = 4;

/**
 * In which line each thing is named: of a million names, in 32 MB. Kept are digests, and not the names.
 */
export class SeenNames {
  private slots = LEAST_SLOTS;
  private table = new Uint32Array(LEAST_SLOTS * WIDTH);
  private names = 0;

  /** Notes the line of a name. @returns the line that it was in before; undefined if this is the first */
  add(name: string, line: number): number | undefined {
    const digest = digestOf(name);
    const place = this.placeOf(this.table, digest);
    const earlier = this.table[place + 3];
    if (earlier) return earlier;
    this.table.set([...digest, line], place);
    if (++this.names > this.slots * FULLEST) this.grow();
    return undefined;
  }

  /** The line that a name is in; undefined if none is. */
  lineOf(name: string): number | undefined {
    return this.table[this.placeOf(this.table, digestOf(name)) + 3] || undefined;
  }

  /** Where a digest stands in the table, or would stand. */
  private placeOf(table: Uint32Array, [a, b, c]: Digest): number {
    const end = table.length;
    let place = (a % (end / WIDTH)) * WIDTH;
    while (table[place + 3] !== 0 && (table[place] !== a || table[place + 1] !== b || table[place + 2] !== c))
      place = (place + WIDTH) % end;
    return place;
  }

  private grow(): void {
    this.slots *= 2;
    const larger = new Uint32Array(this.slots * WIDTH);
    for (let at = 0; at < this.table.length; at += WIDTH) {
      const [a = 0, b = 0, c = 0, line = 0] = this.table.subarray(at, at + WIDTH);
      if (line !== 0) larger.set([a, b, c, line], this.placeOf(larger, [a, b, c]));
    }
    this.table = larger;
  }
}

type Digest = readonly [number, number, number];

function digestOf(name: string): Digest {
  const digest = hash('sha1', name, 'buffer');
  return [digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8)];
}
