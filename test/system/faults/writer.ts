import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { randomGenerator } from '../../support/concurrent-writers';
import { until } from '../../support/until';
import type { Caller } from '../../support/caller';
import { send, type Sent } from './send';

/** The known state of a resource. */
export interface State {
  readonly version: number;
  readonly note: string;
  /** The value of its variable. */
  readonly value: number;
  readonly isDeleted: boolean;
}

/** A write, as it was sent. */
export interface Write {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** A resource whose creation was acknowledged. */
export interface Item {
  readonly collection: Collection;
  readonly id: number;
  readonly name: string;
  /** The last acknowledged state. */
  now: State;
  /** A write with an unknown outcome, and the state after it. */
  unknown?: { readonly write: Write; readonly leaves: State };
}

/** A creation with an unknown outcome. */
export interface Creation {
  readonly write: Write;
  readonly collection: Collection;
  readonly names: readonly string[];
}

export type Collection = 'hosts' | 'regions';

/** The response to an acknowledged write; undefined if the outcome is unknown. */
type Outcome = { readonly response: Sent } | undefined;

/** The delay (ms) after a failed write. */
const RETRY_DELAY = 100;

/**
 * The default delay (ms) after an acknowledged write: while a test waits for something else, the writers would take all
 * processor time, and write thousands of records that the audit has to read.
 */
export const PACE = 40;

let writers = 0;

/** Writers to stop at the end: a failed test may leave them running, and Jest would not exit. */
const started = new Set<Writer>();
afterAll(async () => {
  for (const writer of started) await writer.stop();
});

/**
 * Writes continuously on several connections, and records which writes were acknowledged and which have an unknown
 * outcome. It does not use a resource again after a write with an unknown outcome.
 */
export class Writer {
  readonly items: Item[] = [];
  readonly creations: Creation[] = [];
  /** The number of acknowledged writes. */
  acknowledged = 0;
  /** The number of writes with an unknown outcome. */
  unknown = 0;
  /** The number of 503 responses. */
  unavailable = 0;
  /** The writes without any response, and when they were sent. */
  readonly lost: { readonly path: string; readonly sentAt: number }[] = [];
  /** Unexpected responses. */
  readonly wrong: string[] = [];
  private readonly name = `w${String(++writers)}`;
  private readonly usable: Item[][];
  private isStopped = false;
  private lanes: Promise<void>[] = [];
  private count = 0;
  private region = 0;

  /**
   * @param width the number of connections
   * @param pace the delay (ms) after each acknowledged write; without one, nearly always all connections have a write in flight
   */
  constructor(
    width = 6,
    public pace = PACE,
  ) {
    this.usable = Array.from({ length: width }, () => []);
  }

  /** The prefix of the names of this writer's resources. */
  get prefix(): string {
    return `${this.name}-`;
  }

  /** Writes until `stop`. */
  async start(caller: Caller): Promise<void> {
    this.region ||= (await caller.region()).id;
    this.isStopped = false;
    started.add(this);
    this.lanes = this.usable.map((items, lane) =>
      this.write(caller, items, randomGenerator(lane + this.count)),
    );
  }

  /** Stops writing, and waits for requests in flight. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.lanes);
  }

  /** Waits until `more` further writes are acknowledged. */
  async untilAcknowledged(more: number): Promise<void> {
    const enough = this.acknowledged + more;
    await until('writes are acknowledged', 60, () => Promise.resolve(this.acknowledged >= enough));
  }

  /** Waits until `more` further writes are answered with 503. */
  async untilUnavailable(more: number): Promise<void> {
    const enough = this.unavailable + more;
    await until('writes are refused with 503', 60, () => Promise.resolve(this.unavailable >= enough));
  }

  private async write(caller: Caller, items: Item[], roll: (sides: number) => number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const attempt = (write: Write) => this.attempt(caller, write, agent);
    while (!this.isStopped) {
      const at = roll(Math.max(items.length, 1));
      const item = items[at];
      const what = item ? roll(10) : 0;
      if (item === undefined || what < 3) await this.create(items, what === 2 ? 'regions' : 'hosts', attempt);
      else if (!(await this.alter(item, what, attempt)) || item.now.isDeleted) items.splice(at, 1);
    }
    agent.destroy();
  }

  /** Creates several regions or one host. */
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
    for (const item of itemsOf(collection, outcome.response)) {
      this.items.push(item);
      items.push(item);
    }
  }

  /** Updates or deletes an item. @returns whether the outcome is known */
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
              { ...next, isDeleted: true },
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
    const response = await send(caller, write, agent);
    if (response !== undefined && response.status < 300) {
      this.acknowledged++;
      if (this.pace > 0) await pause(this.pace);
      return { response };
    }
    if (!response) this.lost.push({ path: write.path, sentAt });
    else if (response.status === 503) this.unavailable++;
    else this.wrong.push(`${write.method} ${write.path}: ${String(response.status)} ${response.text}`);
    this.unknown++;
    await pause(RETRY_DELAY);
    return undefined;
  }

  private next(): string {
    return String(this.count++);
  }
}

/** The items in the response to a creation: an object or an array. */
export function itemsOf(collection: Collection, { text }: Sent): Item[] {
  const made = JSON.parse(text) as { id: number; name: string } | { id: number; name: string }[];
  return [made].flat().map(({ id, name }) => ({
    collection,
    id,
    name,
    now: { version: 1, note: 'made', value: 0, isDeleted: false },
  }));
}
