import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { randomGenerator } from '../../support/concurrent-writers';
import { until } from '../../support/until';
import type { Caller } from '../../support/caller';
import { send, type Sent } from './send';

/** What is known of a resource. */
export interface State {
  readonly version: number;
  readonly note: string;
  /** Of its one variable. */
  readonly value: number;
  readonly isGone: boolean;
}

/** A write, as it was sent. */
export interface Write {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** A resource that the service said it has made. */
export interface Item {
  readonly collection: Collection;
  readonly id: number;
  readonly name: string;
  /** As the service acknowledged it last. */
  now: State;
  /** A write of which nobody knows whether it was done, and what it would leave. */
  unknown?: { readonly write: Write; readonly leaves: State };
}

/** A creation of which nobody knows whether it was done. */
export interface Creation {
  readonly write: Write;
  readonly collection: Collection;
  readonly names: readonly string[];
}

export type Collection = 'hosts' | 'regions';

/** How a write ended: it was acknowledged, or nobody knows. */
type Outcome = { readonly answer: Sent } | undefined;

/** In milliseconds: whoever got no answer waits a little. */
const AFTER_FAILURE = 100;

let writers = 0;

/** A test that fails may leave some of them writing, which would keep Jest from its end. */
const begun = new Set<Writer>();
afterAll(async () => {
  for (const writer of begun) await writer.rest();
});

/**
 * Several who write without a pause and keep an account of it: what was acknowledged, and of which writes nobody knows
 * whether they were done. What is unknown they leave alone from then on: see `Account`.
 */
export class Writer {
  readonly items: Item[] = [];
  readonly creations: Creation[] = [];
  /** How many writes were acknowledged. */
  acknowledged = 0;
  /** How many writes got no answer, or one that says neither yes nor no. */
  unknown = 0;
  /** How many writes were answered with 503. */
  unavailable = 0;
  /** Those of `unknown` that got no answer at all, with when they were sent. */
  readonly lost: { readonly path: string; readonly sentAt: number }[] = [];
  /** Answers that should not have been. */
  readonly wrong: string[] = [];
  private readonly name = `w${String(++writers)}`;
  private readonly usable: Item[][];
  private isResting = false;
  private lanes: Promise<void>[] = [];
  private count = 0;
  private region = 0;

  constructor(width = 6) {
    this.usable = Array.from({ length: width }, () => []);
  }

  /** What all resources of this writer begin with. */
  get prefix(): string {
    return `${this.name}-`;
  }

  /** Begins to write, until `rest`. */
  async start(caller: Caller): Promise<void> {
    this.region ||= (await caller.region()).id;
    this.isResting = false;
    begun.add(this);
    this.lanes = this.usable.map((items, lane) =>
      this.write(caller, items, randomGenerator(lane + this.count)),
    );
  }

  /** Waits for what is under way, and writes no more. */
  async rest(): Promise<void> {
    this.isResting = true;
    await Promise.all(this.lanes);
  }

  /** Waits until so many more writes are acknowledged. */
  async acknowledges(more: number): Promise<void> {
    const enough = this.acknowledged + more;
    await until('writes are acknowledged', 60, () => Promise.resolve(this.acknowledged >= enough));
  }

  /** Waits until so many more writes are answered with 503. */
  async isRefused(more: number): Promise<void> {
    const enough = this.unavailable + more;
    await until('writes are refused with 503', 60, () => Promise.resolve(this.unavailable >= enough));
  }

  private async write(caller: Caller, items: Item[], roll: (sides: number) => number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const attempt = (write: Write) => this.attempt(caller, write, agent);
    while (!this.isResting) {
      const at = roll(Math.max(items.length, 1));
      const item = items[at];
      const what = item ? roll(10) : 0;
      if (item === undefined || what < 3) await this.create(items, what === 2 ? 'regions' : 'hosts', attempt);
      else if (!(await this.alter(item, what, attempt)) || item.now.isGone) items.splice(at, 1);
    }
    agent.destroy();
  }

  /** Several regions, or one host. */
  private async create(
    items: Item[],
    collection: Collection,
    attempt: (write: Write) => Promise<Outcome>,
  ): Promise<void> {
    const names = Array.from({ length: collection === 'regions' ? 4 : 1 }, () => this.prefix + this.next());
    const bodies = names.map((name) => ({
      name,
      note: 'made',
      variables: { value: 0 },
      ...(collection === 'hosts'
        ? { region_id: this.region, ip_address: '10.0.0.1', device_type: 'server' }
        : {}),
    }));
    const write: Write = {
      method: 'POST',
      path: `/v1/${collection}`,
      body: collection === 'regions' ? bodies : bodies[0],
      headers: { 'idempotency-key': names.join() },
    };
    const outcome = await attempt(write);
    if (!outcome) {
      this.creations.push({ write, collection, names });
      return;
    }
    for (const item of itemsOf(collection, outcome.answer)) {
      this.items.push(item);
      items.push(item);
    }
  }

  /** @returns whether it is known what has become of it */
  private async alter(
    item: Item,
    what: number,
    attempt: (write: Write) => Promise<Outcome>,
  ): Promise<boolean> {
    const { now } = item;
    const path = `/v1/${item.collection}/${String(item.id)}`;
    const headers = { 'if-match': `"${String(now.version)}"` };
    const next = { ...now, version: now.version + 1 };
    const number = this.count++;
    const [write, leaves]: [Write, State] =
      what < 6
        ? [
            { method: 'PUT', path, body: { note: String(number) }, headers },
            { ...next, note: String(number) },
          ]
        : what < 9
          ? [
              { method: 'PUT', path: `${path}/variables`, body: { value: number }, headers },
              { ...next, value: number },
            ]
          : [
              { method: 'DELETE', path, body: undefined, headers },
              { ...next, isGone: true },
            ];
    const outcome = await attempt(write);
    if (!outcome) {
      item.unknown = { write, leaves };
      return false;
    }
    item.now = leaves;
    return true;
  }

  private async attempt(caller: Caller, write: Write, agent: Agent): Promise<Outcome> {
    const sentAt = Date.now();
    const answer = await send(caller, write, agent);
    if (answer !== undefined && answer.status < 300) {
      this.acknowledged++;
      return { answer };
    }
    if (!answer) this.lost.push({ path: write.path, sentAt });
    else if (answer.status === 503) this.unavailable++;
    else this.wrong.push(`${write.method} ${write.path}: ${String(answer.status)} ${answer.text}`);
    this.unknown++;
    await pause(AFTER_FAILURE);
    return undefined;
  }

  private next(): string {
    return String(this.count++);
  }
}

/** What a creation answered: one, or an array. */
export function itemsOf(collection: Collection, { text }: Sent): Item[] {
  const made = JSON.parse(text) as { id: number; name: string } | { id: number; name: string }[];
  return [made].flat().map(({ id, name }) => ({
    collection,
    id,
    name,
    now: { version: 1, note: 'made', value: 0, isGone: false },
  }));
}
