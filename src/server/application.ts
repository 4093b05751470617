import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { BootstrapService } from '../accounts/bootstrap.service';
import { AccessSecretsService } from '../access-secrets/access-secrets.service';
import { AppModule, type AppOptions } from '../app.module';
import { KeystoneTokenValidator } from '../auth/identity/keystone/keystone-token-validator';
import { OidcSignIn } from '../auth/identity/oidc/oidc-sign-in';
import type { Environment } from '../config/environment';
import { usesProvider } from '../config/setting-decorators';
import { configureApp } from './configure-app';
import { ShutdownState } from '../observability/shutdown-state';
import { METRICS_READER, MetricsService, type MetricsReader } from '../observability/metrics.service';
import { JsonResponseAdapter } from '../http/response';
import { connectionErrorMessage, isDatabaseUnavailable } from '../database/errors/postgres-error';
import { DatabaseWatchdog } from '../database/health/database-watchdog';
import { RejectionMetrics } from '../http/rejection-metrics';
import { Connections, serverOptions } from '../http/connections';
import type { Registry } from 'prom-client';
import { listenError } from './listen';
import { printStatus } from './console';
import { tlsOptions, type TlsOptions } from './certificate';

/** How long (ms) idle connections stay open at a stop, for requests that are on their way. */
const IDLE_CONNECTION_GRACE = 1_000;

/** How long (ms) a stop waits after it has closed all connections. */
const CLOSE_TIMEOUT = 3_000;

/** The Nest application with its start and stop. */
export class Application {
  private readonly connections: Connections;

  private constructor(
    private readonly app: NestExpressApplication,
    private readonly environment: Environment,
    /** Whether this is the first process of a start. */
    private readonly isFirst: boolean,
  ) {
    this.connections = new Connections(app.getHttpServer(), environment, app.get(RejectionMetrics));
  }

  /** Creates the application without listening. The caller has to call `stop` in any case. */
  static async create(options: AppOptions): Promise<Application> {
    const { environment, worker } = options;
    const app = await NestFactory.create<NestExpressApplication>(
      AppModule.with(options),
      new JsonResponseAdapter(serverOptions(environment)),
      {
        bodyParser: false,
        // Until there is a logger: Nest would print the log of a start that fails in a form of its own.
        bufferLogs: true,
        autoFlushLogs: false,
        abortOnError: false,
        ...withTls(tlsOptions(environment)),
      },
    );
    try {
      configureApp(app, environment);
      app.flushLogs();
      await app.init();
      return new Application(app, environment, worker === undefined || worker.id === 1);
    } catch (error) {
      await app.close();
      throw error;
    }
  }

  /** The metrics that `/metrics` responds with. */
  get metrics(): MetricsReader {
    return this.app.get<MetricsReader>(METRICS_READER);
  }

  /** The metrics of this process. */
  get registry(): Registry {
    return this.app.get(MetricsService).registry;
  }

  /**
   * Listens. The first process also creates what an empty database needs, and prints warnings.
   * @returns the URL
   * @throws StartupError if the port cannot be listened on
   */
  async start(): Promise<string> {
    const { HOST, PORT } = this.environment;
    try {
      await this.app.listen(PORT, HOST);
    } catch (error) {
      throw listenError(error, HOST, PORT);
    }
    if (this.isFirst) {
      await bootstrap(this.app);
      await warnOfLostKey(this.app);
      if (usesProvider(this.environment, 'keystone')) this.checkKeystone();
      if (usesProvider(this.environment, 'oidc')) this.checkOidc();
    }
    return this.url();
  }

  /** The URL with the address that the service listens on. Nest would call the unspecified address a loopback one. */
  private url(): string {
    const address: AddressInfo | string | null = this.app.getHttpServer().address();
    if (address === null || typeof address === 'string')
      throw new Error('the server does not listen on a port');
    const { TLS_CERT_FILE } = this.environment;
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `${TLS_CERT_FILE === undefined ? 'http' : 'https'}://${host}:${String(address.port)}`;
  }

  /** Runs in the background: the service works without Keystone, too. */
  private checkKeystone(): void {
    const tokens = this.app.get(KeystoneTokenValidator, { strict: false });
    tokens.checkServiceToken().catch((error: unknown) => {
      new Logger('Keystone').error({ err: error }, 'The connection to Keystone could not be checked.');
    });
  }

  /** Runs in the background: the service works without the OpenID provider, too. */
  private checkOidc(): void {
    const signIn = this.app.get(OidcSignIn, { strict: false });
    signIn.checkProvider().catch((error: unknown) => {
      new Logger('OpenID Connect').error(
        { err: error },
        'The connection to the provider could not be checked.',
      );
    });
  }

  /**
   * Reports that the service is not ready, and keeps serving for SHUTDOWN_NOTICE_SECONDS, so that load balancers stop
   * sending requests. Then waits up to SHUTDOWN_SECONDS for requests in progress, and closes the connections that are
   * left: those of clients, and those to the database, where a statement may hang.
   */
  async stop(): Promise<void> {
    this.app.get(ShutdownState).announce();
    if (this.app.getHttpServer().listening) await delay(this.environment.SHUTDOWN_NOTICE_SECONDS * 1000);
    const closed = new AbortController();
    const timedOut = this.closeAfterTimeout(closed.signal).catch(() => undefined);
    try {
      await Promise.race([
        this.connections.drain(IDLE_CONNECTION_GRACE).then(() => this.app.close()),
        timedOut,
      ]);
    } finally {
      closed.abort();
    }
  }

  /** @param closed aborted when everything is closed: then this rejects */
  private async closeAfterTimeout(closed: AbortSignal): Promise<void> {
    await delay(this.environment.SHUTDOWN_SECONDS * 1000, undefined, { signal: closed });
    this.app.getHttpServer().closeAllConnections();
    this.app.get(DatabaseWatchdog).closeConnections();
    await delay(CLOSE_TIMEOUT, undefined, { signal: closed });
    printStatus('Shutdown timed out; exiting with work still pending.');
  }
}

/** The server uses HTTPS if there is a certificate. */
const withTls = (httpsOptions: TlsOptions | undefined) => (httpsOptions ? { httpsOptions } : {});

/** Creates the first project and user in an empty database, and prints their names and the API key once. */
async function bootstrap(app: NestExpressApplication): Promise<void> {
  const created = await app.get(BootstrapService).bootstrap({ project: 'default', username: 'root' });
  if (created)
    process.stdout.write(
      `project: ${created.project}\nusername: ${created.username}\napi key: ${created.apiKey}\n`,
    );
}

/** Warns at every start until the key is restored: otherwise the loss would be noticed only when a secret is needed. */
async function warnOfLostKey(app: NestExpressApplication): Promise<void> {
  let secrets: number;
  try {
    secrets = await app.get(AccessSecretsService, { strict: false }).countUnreadable();
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    // A node of the database cannot be reached: the service must start for the projects on the others.
    printStatus(`Access secrets were not checked: ${connectionErrorMessage(error)}`);
    return;
  }
  if (secrets > 0)
    printStatus(
      `Access secrets that cannot be decrypted: ${String(secrets)}. They were encrypted with another key. Restore SECRETS_KEY or secrets.key.`,
    );
}
