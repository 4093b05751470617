import { Agent, request } from 'node:http';
import { authHeaders } from '../../support/http-exchange';
import type { Caller } from '../../support/caller';
import type { ServiceProcess } from '../../support/service-process';

/** A response, with the worker that sent it. */
export interface WorkerResponse {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: unknown;
  readonly worker: number | undefined;
}

/** A keep-alive connection: all its requests reach the same worker. */
export class StickyConnection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private worker: number | undefined;

  constructor(private readonly service: ServiceProcess) {}

  /** @throws if another worker responds than before */
  async send(
    caller: Caller,
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<WorkerResponse> {
    const response = await this.exchange(caller, method, path, body, headers);
    this.worker ??= response.worker;
    if (response.worker !== this.worker) throw new Error('the connection was not reused');
    return response;
  }

  async get(caller: Caller, path: string): Promise<unknown> {
    const { status, body } = await this.send(caller, 'GET', path);
    if (status !== 200) throw new Error(`${path}: ${String(status)} ${JSON.stringify(body)}`);
    return body;
  }

  close(): void {
    this.agent.destroy();
  }

  private async exchange(
    caller: Caller,
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<WorkerResponse> {
    const {
      status,
      text,
      headers: responseHeaders,
    } = await new Promise<{
      status: number;
      text: string;
      headers: NodeJS.Dict<string | string[]>;
    }>((resolve, reject) => {
      const sent = request(
        `${caller.url}${path}`,
        {
          method,
          agent: this.agent,
          headers: { ...authHeaders(caller.credentials), 'content-type': 'application/json', ...headers },
        },
        (response) => {
          let received = '';
          response.setEncoding('utf8').on('data', (part: string) => (received += part));
          response.once('error', reject).once('end', () => {
            resolve({ status: response.statusCode ?? 0, text: received, headers: response.headers });
          });
        },
      );
      sent.once('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
    const { worker } = await this.service.logged(String(responseHeaders['x-request-id']));
    return { status, headers: responseHeaders, body: text === '' ? undefined : JSON.parse(text), worker };
  }
}

/** A connection to each of two workers. */
export async function twoWorkers(
  service: ServiceProcess,
  caller: Caller,
): Promise<[StickyConnection, StickyConnection]> {
  const first = new StickyConnection(service);
  const { worker } = await first.send(caller, 'GET', '/v1/regions');
  for (;;) {
    const second = new StickyConnection(service);
    if ((await second.send(caller, 'GET', '/v1/regions')).worker !== worker) return [first, second];
    second.close();
  }
}
