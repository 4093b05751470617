import type { Intake } from './import-staging';
import { lineOf, nameOf } from './line';
import type { Entry, Spool } from './line-file';

/** What every line came to, in their order, as lines of JSON. @param isTried whether what is new will be forgotten */
export async function* lineResults({ outcomes, lines }: Intake, isTried: boolean): AsyncGenerator<string> {
  const { clouds, labels, regions, cells, devices, waiting } = lines;
  await outcomes.settle();
  const kept = inOrder([clouds, labels, regions, cells, devices, waiting.spool]);
  for (let line = 1; line <= outcomes.last; line++) {
    const outcome = await outcomes.of(line);
    if (!outcome) continue;
    if (outcome.result === 'failed') {
      yield `${JSON.stringify({ line, result: 'failed' }).slice(0, -1)},${outcome.fault.slice(1)}\n`;
      continue;
    }
    const entry = await kept(line);
    const read = lineOf(entry);
    const id = isTried && outcome.result === 'created' ? null : outcome.id;
    yield `${JSON.stringify({ line, result: outcome.result, kind: read.kind.shape.kind, id, name: nameOf(read) })}\n`;
  }
}

/** Reads several spools at once, each of them in the order of lines: asked for ever later lines. */
function inOrder(spools: readonly Spool[]): (line: number) => Promise<Entry> {
  const heads = spools.map((spool) => new Head(spool));
  return async (line) => {
    for (const head of heads) {
      const entry = await head.at(line);
      if (entry) return entry;
    }
    throw new Error(`line ${String(line)} was written and not kept`);
  };
}

/** The next entry of a spool. */
class Head {
  private readonly batches: AsyncGenerator<Entry[]>;
  private batch: Entry[] = [];
  private next = 0;
  private ended = false;

  constructor(spool: Spool) {
    this.batches = spool.entries();
  }

  /** The entry of a line, if it is of this spool. Those before it are passed over. */
  async at(line: number): Promise<Entry | undefined> {
    for (;;) {
      const entry = this.batch[this.next];
      if (entry && entry.line >= line) return entry.line === line ? entry : undefined;
      if (entry) this.next++;
      else if (!(await this.more())) return undefined;
    }
  }

  private async more(): Promise<boolean> {
    if (this.ended) return false;
    const next = await this.batches.next();
    this.ended = next.done === true;
    this.batch = next.done === true ? [] : next.value;
    this.next = 0;
    return !this.ended;
  }
}
