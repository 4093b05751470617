import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { PATH_TRICKS } from './catalogue';
import type { Plan } from './request-generators';
import { percentEncoded, jsonText } from './unserialized-json';
import type { World } from './fuzz-project';

/** A request as sent. */
export interface WireRequest {
  readonly method: string;
  /** The request target: path and query. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | undefined;
  /** The sender, and the kind of request. */
  readonly note: string;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly text: string;
}

/** In milliseconds. Every response here takes less than a second on an idle machine. */
const TIMEOUT = 60_000;

/** Builds a request with the ids that currently exist. */
export function buildRequest(plan: Plan, world: World): WireRequest {
  const { operation, method, trick, tail, body } = plan;
  const value = (name: string) => percentEncoded(plan.path[name] ?? '', world.resolve);
  const plain = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => value(name));
  const path = trick === undefined ? plain : (PATH_TRICKS[trick]?.(plain) ?? plain);
  const pairs = plan.query.map(
    ([name, json]) => `${percentEncoded(name, world.resolve)}=${percentEncoded(json, world.resolve)}`,
  );
  const query = [...pairs, ...(tail === undefined ? [] : [tail])].join('&');
  const sender = world.senders[plan.caller % world.senders.length];
  const bytes = body?.wire.bytes((body.wire.text ?? jsonText)(body.json, world.resolve));
  const headers = new Map<string, string>([
    ['Host', 'muster.example'],
    ['Connection', 'keep-alive'],
    ...(sender?.headers ?? []),
  ]);
  if (body && bytes) {
    const { type = 'application/json', encoding } = body.wire;
    if (type !== null) headers.set('Content-Type', type);
    if (encoding !== undefined) headers.set('Content-Encoding', encoding);
    headers.set('Content-Length', String(bytes.length));
  }
  for (const [name, text] of plan.headers) headers.set(name, text);
  return {
    // An invalid request target is rejected before the service handles HEAD, so its response has a body.
    method: method === 'HEAD' && !/^(?:\/|http)/.test(path) ? 'GET' : method,
    path: query === '' ? path : `${path}?${query}`,
    headers: [...headers],
    body: bytes,
    note: `${sender?.name ?? 'nobody'}, ${plan.category}${trick === undefined ? '' : `, ${trick}`}${body === undefined ? '' : `, ${body.wire.name}`}`,
  };
}

/** Sends requests over persistent connections. */
export class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });
  private readonly address: { readonly host: string; readonly port: string };

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.address = { host: hostname, port };
  }

  close(): void {
    this.agent.destroy();
  }

  /** @throws Error if there is no response. Retries a request whose idle connection was closed. */
  async send(sent: WireRequest): Promise<WireResponse> {
    for (let left = 3; ; left--) {
      try {
        return await this.once(sent);
      } catch (error) {
        if (!(left > 0 && isConnectionReset(error))) throw error;
      }
    }
  }

  private once({ method, path, headers, body }: WireRequest): Promise<WireResponse> {
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        { ...this.address, agent: this.agent, method, path, headers: headers.flat(), timeout: TIMEOUT },
        (incoming) => {
          const parts: Buffer[] = [];
          incoming.on('data', (part: Buffer) => parts.push(part));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const { statusCode: status = 0, headers: given, rawHeaders } = incoming;
            resolve({ status, headers: given, rawHeaders, text: Buffer.concat(parts).toString() });
          });
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error('response timeout')));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

const isConnectionReset = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  ['ECONNRESET', 'EPIPE'].includes(String(error.code));

/** A readable form of a request. */
export function formatRequest({ method, path, headers, body, note }: WireRequest): string {
  const short = (text: string) =>
    text.length > 2_000 ? `${text.slice(0, 2_000)}… (${String(text.length)})` : text;
  const lines = headers
    .filter(([name]) => !/^(host|connection|x-auth-|authorization)/i.test(name))
    .map(([name, value]) => `${name}: ${JSON.stringify(short(value))}`);
  return [
    `${method} ${short(path)}`,
    `(${note})`,
    ...lines,
    body ? JSON.stringify(short(body.toString())) : '',
  ].join('\n');
}
