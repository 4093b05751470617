import { spawn } from 'node:child_process';
import { Agent } from 'node:http';
import { join, resolve } from 'node:path';
import { aName, Caller, type Credentials } from './caller';
import { Program } from './program';
import { createTestDatabase, type TestDatabase } from './test-database';

/** The checkout. */
export const PROJECT = resolve(__dirname, '../..');

/** The default settings of services in tests. */
const SETTINGS = {
  PORT: '0',
  LOG_LEVEL: 'warn',
  SECRETS_KEY: 'A'.repeat(43) + '=',
  // Tests send wrong credentials on purpose, all of them from one address.
  WRONG_CREDENTIALS_LIMIT: '1000000',
};

/** The script that starts the service. */
const MAIN = join(PROJECT, 'dist/src/main.js');
/** Starts the service with the routes of service-with-test-routes.cjs as well. */
export const MAIN_WITH_TEST_ROUTES = join(__dirname, 'service-with-test-routes.cjs');

type Environment = Readonly<Record<string, string>>;

/** A running service as a test sees it: an address, the root user, and its database. */
export class Service {
  /** The root user of the first project. */
  readonly root: Caller;

  constructor(
    readonly url: string,
    credentials: Credentials,
    /** For data that is not available over HTTP. */
    readonly databaseUrl: string,
  ) {
    // Keep-alive makes requests faster. The service keeps idle connections for much longer, so that it closes none that is in use.
    const connections = url.startsWith('https:') ? undefined : new Agent({ keepAlive: true, timeout: 2_000 });
    this.root = new Caller(url, credentials, connections);
  }

  /** Creates a project, and returns its admin. */
  async project(name = aName('project')): Promise<Caller> {
    const { id } = (await this.root.post('/v1/projects', { name }).expect(201)).body as { id: string };
    return this.root.in(id).user({ username: 'admin', is_admin: true });
  }

  /** Starts another process of the service on the same database, with other settings. */
  async startPeer(environment: Environment = {}, script = MAIN): Promise<OwnService> {
    const program = startProgram(this.databaseUrl, environment, script);
    return new OwnService(program, await addressOf(program), this.root.credentials, this.databaseUrl);
  }
}

/** A service that one test file has started. */
export class OwnService extends Service {
  constructor(
    readonly program: Program,
    url: string,
    credentials: Credentials,
    databaseUrl: string,
    private readonly database?: TestDatabase,
  ) {
    super(url, credentials, databaseUrl);
  }

  /** The lines of the service's log so far. Its other output is not JSON. */
  logLines(): Record<string, unknown>[] {
    return this.program.lines
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Waits for the first log line about a request: the service may write it after the response. */
  logLineOf(requestId: string): Promise<Record<string, unknown>> {
    return this.program.line(
      (line) => (line.includes(`"${requestId}"`) ? (JSON.parse(line) as Record<string, unknown>) : undefined),
      `a log line about the request ${requestId}`,
    );
  }

  /** Stops the process with SIGTERM, and leaves its database. */
  async exit(): Promise<void> {
    this.program.kill('SIGTERM');
    await this.program.ended;
  }

  /** Stops the process, and drops its own database, if any. */
  async stop(): Promise<void> {
    await this.exit();
    await this.database?.drop();
  }
}

/** The settings of the shared peer that differ from those of the shared service. */
export const PEER_SETTINGS = {
  PUBLIC_URL: 'https://muster.example/fleet/',
  LIST_BODY: 'page',
  COMPRESSION: 'off',
  SECRETS_KEY: `${'B'.repeat(43)}=`,
};

/** The service that all test files share. It was started before them, with default settings. */
export function sharedService(): Service {
  const { url, credentials, databaseUrl } = readSharedService();
  return new Service(url, credentials, databaseUrl);
}

/** Another process of the shared service, with other settings (PEER_SETTINGS). Both use the same database. */
export function sharedPeer(): Service {
  const { peerUrl, credentials, databaseUrl } = readSharedService();
  return new Service(peerUrl, credentials, databaseUrl);
}

function readSharedService(): SharedService {
  const { TEST_SERVICE } = process.env;
  if (TEST_SERVICE === undefined) throw new Error('global-setup.ts has not started a service for this tier');
  return JSON.parse(TEST_SERVICE) as SharedService;
}

/** The shared service, as JSON in TEST_SERVICE. */
export interface SharedService {
  readonly url: string;
  /** The URL of its peer. */
  readonly peerUrl: string;
  readonly credentials: Credentials;
  readonly databaseUrl: string;
}

/**
 * Starts the built service on its own database, for a test file that needs other settings or sees all projects. A start
 * takes about a second: prefer `sharedService` and `sharedPeer`.
 * @param database an empty migrated database; by default, a clone of the migrated template
 */
export async function startService(
  environment: Environment = {},
  database?: TestDatabase,
): Promise<OwnService> {
  const own = database ?? (await createTestDatabase());
  const program = startProgram(own.url, environment);
  const credentials = await credentialsOf(program);
  return new OwnService(program, await addressOf(program), credentials, own.url, own);
}

/** Starts `dist/src/main.js` with only PATH from this process's environment. */
export function startProgram(databaseUrl: string, environment: Environment, script = MAIN): Program {
  const env = { PATH: process.env.PATH, ...SETTINGS, DATABASE_URL: databaseUrl, ...environment };
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  return new Program(spawn(process.execPath, [script], { cwd: '/', env, stdio: [...stdio], detached: true }));
}

/** The address that a service prints when it is ready. */
export function addressOf(program: Program): Promise<string> {
  return program.line((line) => /serving on (https?:\S+)/.exec(line)?.[1], 'the address', program.errorLines);
}

/** The credentials of the root user, which the first start on a database prints. */
export async function credentialsOf(program: Program): Promise<Credentials> {
  const value = (name: string) =>
    program.line((line) => new RegExp(`^${name}: (\\S+)$`).exec(line)?.[1], `the ${name}`);
  return { project: await value('project'), user: await value('username'), token: await value('api key') };
}
