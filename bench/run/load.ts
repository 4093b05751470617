import autocannon from 'autocannon';
import type { BenchServer, StatementTimes } from './database';
import { hasProc, cpuOf, cpuOfServer } from './processes';

/** One request as the load generator sends it. */
export interface BenchRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  /** In addition to those of the side. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server and the requests to send to it. */
export interface Side {
  readonly url: string;
  readonly pid: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Each connection cycles through these, from a different offset. */
  readonly requests: readonly BenchRequest[];
  /** Replaces `requests`, for requests that must be unique. */
  readonly next?: () => BenchRequest;
  /** Called before and after each measured round. */
  readonly watch?: { begin(): Promise<void>; end(): Promise<void> };
}

/** The measurements of one round. */
export interface Round {
  readonly requests: number;
  /** The time from the first request to the last response. */
  readonly seconds: number;
  /** Latencies (ms) in the order of the responses. */
  readonly latencies: readonly number[];
  readonly errors: number;
  /** The size of all responses, including headers. */
  readonly bytes: number;
  /** CPU time (s); undefined without /proc. */
  readonly nodeCpu: number | undefined;
  readonly postgresCpu: number | undefined;
  readonly statements: StatementTimes;
}

interface Amount {
  readonly connections: number;
  /** The number of requests over all connections. */
  readonly amount: number;
  readonly server: MeasuredServer;
}

/** The PostgreSQL of a run. */
export type MeasuredServer = Pick<BenchServer, 'postmasters' | 'readStatementTimes'>;

/**
 * Sends a fixed number of requests as fast as possible. With a fixed time instead, requests would be in flight at the
 * end, and their CPU time would count without their responses.
 *
 * Latencies come from the generator's response events, because its histogram has a resolution of a millisecond.
 */
export async function round(side: Side, { connections, amount, server }: Amount): Promise<Round> {
  const latencies: number[] = [];
  let errors = 0;
  let bytes = 0;
  let startedAt = Infinity;
  let last = 0;
  const timesBefore = await server.readStatementTimes();
  const before = cpu(side.pid, server.postmasters);
  const options: autocannon.Options = {
    url: side.url,
    connections,
    amount,
    // How often (ms) the generator checks whether it is done.
    sampleInt: 5,
    timeout: 60,
    headers: { ...side.headers },
    requests: [{ ...(side.next?.() ?? requestAt(side, 0)), headers: { ...side.headers } }],
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
      // Not the start of the call, because the generator first prepares its requests.
      startedAt = Math.min(startedAt, last - milliseconds);
      bytes += received;
      if (status >= 400) errors++;
    });
  });
  const after = cpu(side.pid, server.postmasters);
  const times = await server.readStatementTimes();
  return {
    requests: latencies.length,
    seconds: (last - startedAt) / 1000,
    latencies,
    errors: errors + result.errors,
    bytes,
    nodeCpu: after && before && after.node - before.node,
    postgresCpu: after && before && after.postgres - before.postgres,
    statements: {
      statements: times.statements - timesBefore.statements,
      planning: times.planning - timesBefore.planning,
      execution: times.execution - timesBefore.execution,
    },
  };
}

function cpu(pid: number, postmasters: readonly number[]): { node: number; postgres: number } | undefined {
  if (!hasProc) return undefined;
  const postgres = postmasters.reduce((sum, postmaster) => sum + cpuOfServer(postmaster), 0);
  return { node: cpuOf(pid), postgres };
}

function requestAt({ requests }: Side, index: number): BenchRequest {
  const request = requests[index % requests.length];
  if (!request) throw new Error('a side of a case has no request to send');
  return request;
}

/** Connections start at different offsets, so that they do not read the same rows at the same time. */
function clientOf(side: Side): (client: autocannon.Client) => void {
  let clients = 0;
  return (client) => {
    const { next } = side;
    if (next) {
      client.setRequests([
        {
          setupRequest: (request) => {
            const one = next();
            return { ...request, ...one, headers: { ...side.headers, ...one.headers } };
          },
        },
      ]);
      return;
    }
    const { requests } = side;
    const offset = (clients++ * 7) % requests.length;
    client.setRequests([...requests.slice(offset), ...requests.slice(0, offset)].map((one) => ({ ...one })));
  };
}
