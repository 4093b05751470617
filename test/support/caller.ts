import { randomBytes } from 'node:crypto';
import type { Agent } from 'node:http';
import type supertest from 'supertest';
import type { Response, Test } from 'supertest';
import { NodeError, requireOnce } from './require-once';

const request = requireOnce('supertest') as typeof supertest;

type Parser = (response: Response, done: (error: Error | null, body: unknown) => void) => void;
const { parse: parsers } = requireOnce('superagent') as { readonly parse: Record<string, Parser> };

// The default parser would create objects of other classes than those of the test file. All files of a worker share `superagent`, so this
// replaces the parser for all of them: a worker runs one file at a time, and each file sets its own.
parsers['application/json'] = (response, done) => {
  parsers['text']?.(response, () => {
    try {
      done(null, response.text && JSON.parse(response.text));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
};

/** The credentials of a caller. */
export interface Credentials {
  readonly token: string;
  readonly user: string;
  readonly project: string;
}

/** The id of an API key, which is a part of its token. */
export const keyIdOf = ({ token }: Credentials): string => token.split('_')[1] ?? '';

/** A resource in a response. */
export interface Resource {
  readonly id: number;
  readonly uuid: string;
  readonly project_id: string;
  readonly name: string;
  readonly version: number;
  readonly variables: Record<string, unknown>;
  readonly [member: string]: unknown;
}

type Members = Readonly<Record<string, unknown>>;

let made = 0;
/** Different in each test file: files share a service, whose project names are unique. */
const FILE = randomBytes(4).toString('hex');
/** A unique name. */
export const aName = (kind: string): string => `${kind}-${FILE}-${String(++made)}`;

const NDJSON_TYPE = 'application/x-ndjson';

/** A supertest parser for NDJSON, which supertest does not handle as text. */
function lines(response: Response, done: (error: Error | null, body: unknown) => void): void {
  const parts: Buffer[] = [];
  response.on('data', (part: Buffer | string) => parts.push(Buffer.from(part)));
  response.on('end', () => {
    response.text = Buffer.concat(parts).toString();
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    done(null, isJson ? JSON.parse(response.text) : response.text);
  });
}

/** What the types of supertest omit: the expectations of a request. */
interface Expecting extends Test {
  readonly _asserts: ((response: Response) => Error | undefined)[];
}

/**
 * supertest formats a stack trace for each expectation, which takes a tenth of the time of a test. Here, only an expectation
 * that fails has one.
 */
function withLazyTraces(test: Test): Test {
  const { _asserts: expectations } = test as Expecting;
  const expectNow = test.expect.bind(test) as (...values: readonly unknown[]) => Test;
  const expectLater = (...values: readonly unknown[]): Test => {
    // supertest would not recognize the expression, nor the errors of the function.
    if (values.some((value) => value instanceof RegExp || typeof value === 'function'))
      throw new Error('use `expect` of Jest for expectations that are expressions or functions');
    const place = new Error();
    const first = expectations.length;
    const { stackTraceLimit } = NodeError;
    NodeError.stackTraceLimit = 0;
    try {
      expectNow(...values);
    } finally {
      NodeError.stackTraceLimit = stackTraceLimit;
    }
    for (const [i, check] of expectations.slice(first).entries())
      expectations[first + i] = (response) => {
        const error = check(response);
        if (error) error.stack = `${String(error)}\n${String(place.stack).split('\n').slice(2).join('\n')}`;
        return error;
      };
    return test;
  };
  return Object.assign(test, { expect: expectLater });
}

/** An HTTP client with credentials, and helpers to create resources. */
export class Caller {
  /** @param connections an agent for keep-alive; without it, each request opens a connection */
  constructor(
    readonly url: string,
    readonly credentials: Credentials,
    private readonly connections?: Agent,
  ) {}

  get projectId(): string {
    return this.credentials.project;
  }

  /** The same user, in another project. */
  in(project: string): Caller {
    return this.as({ ...this.credentials, project });
  }

  /** Another user. */
  as(credentials: Credentials): Caller {
    return new Caller(this.url, credentials, this.connections);
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Test {
    return this.send('get', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Test {
    return this.send('post', path, body, headers);
  }

  put(path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Test {
    return this.send('put', path, body, headers);
  }

  delete(path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Test {
    return this.send('delete', path, body, headers);
  }

  /** Sends a request. A string body is sent unchanged, as JSON text. */
  send(
    method: 'get' | 'head' | 'post' | 'put' | 'delete' | 'patch',
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Test {
    const { token, user, project } = this.credentials;
    // `request(url)` would make a function for each of HTTP's methods.
    const sent = withLazyTraces(new request.Test(this.url, method, path)).set({
      'X-Auth-Token': token,
      'X-Auth-User': user,
      'X-Auth-Project': project,
      // supertest accepts gzip. Compressing is work for the service and for the test.
      'Accept-Encoding': 'identity',
      ...headers,
    });
    if (this.connections) sent.agent(this.connections);
    if (headers['Accept'] === NDJSON_TYPE || path.startsWith('/v1/export')) sent.buffer(true).parse(lines);
    if (body === undefined) return sent;
    return sent
      .set('Content-Type', 'application/json')
      .send(typeof body === 'string' ? body : JSON.stringify(body));
  }

  /** Creates a user in this project. @returns a caller with its credentials */
  async user(members: Members = {}): Promise<Caller> {
    const body = { username: aName('user'), ...members };
    const { username, api_key } = (await this.post('/v1/users', body).expect(201)).body as Record<
      string,
      string
    >;
    return this.as({ token: api_key ?? '', user: username ?? '', project: this.projectId });
  }

  cloud(members: Members = {}): Promise<Resource> {
    return this.create('clouds', { name: aName('cloud'), ...members });
  }

  region(members: Members = {}): Promise<Resource> {
    return this.create('regions', { name: aName('region'), ...members });
  }

  /** Creates a cell, in a new region by default. */
  async cell(members: Members = {}): Promise<Resource> {
    const region_id = members['region_id'] ?? (await this.region()).id;
    return this.create('cells', { name: aName('cell'), region_id, ...members });
  }

  label(members: Members = {}): Promise<Resource> {
    return this.create('labels', { label: aName('label'), ...members });
  }

  host(members: Members = {}): Promise<Resource> {
    return this.device('hosts', members);
  }

  networkDevice(members: Members = {}): Promise<Resource> {
    return this.device('network-devices', members);
  }

  secret(members: Members = {}): Promise<Resource> {
    return this.create('access-secrets', { cert: 'a certificate', ...members });
  }

  view(members: Members = {}): Promise<Resource> {
    return this.create('views', { name: aName('view'), address: '/devices', ...members });
  }

  definition(members: Members = {}): Promise<Resource> {
    return this.create('variable-definitions', {
      key: aName('key').replaceAll('-', '_'),
      schema: true,
      ...members,
    });
  }

  audit(members: Members = {}): Promise<Resource> {
    return this.create('audits', { name: aName('audit'), expectation: { vars: 'a:1' }, ...members });
  }

  private async device(collection: string, members: Members): Promise<Resource> {
    const region_id = members['region_id'] ?? (await this.region()).id;
    const defaults = { name: aName('device'), ip_address: '10.0.0.1', device_type: 'server' };
    return this.create(collection, { ...defaults, region_id, ...members });
  }

  private async create(collection: string, members: Members): Promise<Resource> {
    const response = await this.post(`/v1/${collection}`, members);
    if (response.status !== 201)
      throw new Error(`${collection}: ${String(response.status)} ${response.text}`);
    return response.body as Resource;
  }
}
