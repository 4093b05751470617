import autocannon from 'autocannon';
import { hasProc, cpuOf, cpuOfServer } from './processes';

/** One request as the load generator sends it. */
export interface BenchRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: string;
}

/** Who answers, and what is asked. */
export interface Side {
  readonly url: string;
  readonly pid: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Each connection goes through these in turn, each from another one on. */
  readonly requests: readonly BenchRequest[];
  /** In place of `requests`, for what must never be the same twice. */
  readonly next?: () => BenchRequest;
  /** Called before and after each round that counts. */
  readonly watch?: { begin(): Promise<void>; end(): Promise<void> };
}

/** What one round has measured. */
export interface Round {
  readonly requests: number;
  /** From the first request sent to the last answer received. */
  readonly seconds: number;
  /** Milliseconds, in the order of the answers. */
  readonly latencies: readonly number[];
  readonly errors: number;
  /** Of all answers, with their heads. */
  readonly bytes: number;
  /** Seconds of CPU; undefined where the system does not tell. */
  readonly nodeCpu: number | undefined;
  readonly postgresCpu: number | undefined;
}

interface Amount {
  readonly connections: number;
  /** How many requests, over all connections. */
  readonly amount: number;
  readonly postmaster: number;
}

/**
 * Sends a number of requests, as fast as the answers come. A number, not a time: no request is under way when the
 * round ends, so the CPU time that it took belongs to what was answered.
 *
 * Latencies come from the generator's event for each answer: its own histogram counts in whole milliseconds.
 */
export async function round(side: Side, { connections, amount, postmaster }: Amount): Promise<Round> {
  const latencies: number[] = [];
  let errors = 0;
  let bytes = 0;
  let began = Infinity;
  let last = 0;
  const before = cpu(side.pid, postmaster);
  const options: autocannon.Options = {
    url: side.url,
    connections,
    amount,
    // How often it looks whether it is done.
    sampleInt: 5,
    timeout: 60,
    headers: { ...side.headers },
    requests: [{ ...(side.next?.() ?? requestAt(side, 0)) }],
    setupClient: clientOf(side),
  };
  const result = await new Promise<autocannon.Result>((settle, reject) => {
    const run = autocannon(options, (error: unknown, outcome) => {
      if (error instanceof Error) reject(error);
      else settle(outcome);
    });
    run.on('response', (_client, status, received, milliseconds) => {
      latencies.push(milliseconds);
      last = performance.now();
      // Not from the call on: the generator prepares its requests first.
      began = Math.min(began, last - milliseconds);
      bytes += received;
      if (status >= 400) errors++;
    });
  });
  const after = cpu(side.pid, postmaster);
  return {
    requests: latencies.length,
    seconds: (last - began) / 1000,
    latencies,
    errors: errors + result.errors,
    bytes,
    nodeCpu: after && before && after.node - before.node,
    postgresCpu: after && before && after.postgres - before.postgres,
  };
}

function cpu(pid: number, postmaster: number): { node: number; postgres: number } | undefined {
  return hasProc ? { node: cpuOf(pid), postgres: cpuOfServer(postmaster) } : undefined;
}

function requestAt({ requests }: Side, index: number): BenchRequest {
  const request = requests[index % requests.length];
  if (!request) throw new Error('a side of a case has no request to send');
  return request;
}

/** Every connection starts elsewhere, so that they do not ask for the same rows at the same time. */
function clientOf(side: Side): (client: autocannon.Client) => void {
  let clients = 0;
  return (client) => {
    const { next } = side;
    if (next) {
      client.setRequests([
        { setupRequest: (request) => ({ ...request, ...next(), headers: { ...side.headers } }) },
      ]);
      return;
    }
    const { requests } = side;
    const offset = (clients++ * 7) % requests.length;
    client.setRequests([...requests.slice(offset), ...requests.slice(0, offset)].map((one) => ({ ...one })));
  };
}
