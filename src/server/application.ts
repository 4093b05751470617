import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { BootstrapService } from '../accounts/bootstrap.service';
import { AccessSecretsService } from '../access-secrets/access-secrets.service';
import { AppModule, type AppOptions } from '../app.module';
import { KeystoneTokens } from '../auth/identity/keystone/keystone-token-validator';
import type { Environment } from '../config/environment';
import { configureApp } from './configure-app';
import { Ending } from '../observability/shutdown-state';
import { METRICS_TEXT, MetricsService, type MetricsText } from '../observability/metrics.service';
import { AnswerAdapter } from '../http/response';
import { Pulse } from '../database/health/database-watchdog';
import { RejectionMetrics } from '../http/active-requests';
import { Connections, serverOptions } from '../http/connections';
import type { ProcessMetrics } from './cluster/ipc-protocol';
import { portError } from './listen-error';
import { say } from './console';
import { tlsOptions, type TlsOptions } from './certificate';

/** In milliseconds: at a stop, so long a connection on which nothing is asked is left, for what is on its way. */
const LINGERING = 1_000;

/** In milliseconds: at a stop, so long is waited for what should be over when all connections are cut. */
const LAST_PATIENCE = 3_000;

/** The application, as a process has it: with what begins and ends its serving. */
export class Application {
  private readonly connections: Connections;

  private constructor(
    private readonly app: NestExpressApplication,
    private readonly environment: Environment,
  ) {
    this.connections = new Connections(app.getHttpServer(), environment, app.get(RejectionMetrics));
  }

  /** Makes it ready to serve. `stop` has to follow, whatever happens then. */
  static async create(options: AppOptions): Promise<Application> {
    const { environment } = options;
    const app = await NestFactory.create<NestExpressApplication>(
      AppModule.with(options),
      new AnswerAdapter(serverOptions(environment)),
      { bodyParser: false, bufferLogs: true, abortOnError: false, ...ofTls(tlsOptions(environment)) },
    );
    try {
      configureApp(app, environment);
      await app.init();
      return new Application(app, environment);
    } catch (error) {
      await app.close();
      throw error;
    }
  }

  /** The metrics, as its own route answers them. */
  get metrics(): MetricsText {
    return this.app.get<MetricsText>(METRICS_TEXT);
  }

  /**
   * Takes requests from now on.
   * @returns where
   * @throws StartupError if the port cannot be listened on
   */
  async listen(): Promise<string> {
    const { HOST, PORT } = this.environment;
    try {
      await this.app.listen(PORT, HOST);
    } catch (error) {
      throw portError(error, HOST, PORT);
    }
    return this.app.getUrl();
  }

  /** What this process alone counts and measures. */
  ownMetrics(): Promise<ProcessMetrics> {
    return this.app.get(MetricsService).registry.getMetricsAsJSON();
  }

  /** What is done once in a deployment, and said once at each start. */
  async welcome(): Promise<void> {
    await bootstrap(this.app);
    await warnOfLostKey(this.app);
    if (this.environment.IDENTITY === 'keystone') this.tryKeystone();
  }

  /** Nothing waits for it: without Keystone this serves, too. */
  private tryKeystone(): void {
    const tokens = this.app.get(KeystoneTokens, { strict: false });
    tokens.tryOut().catch((error: unknown) => {
      new Logger('Keystone').error({ err: error }, 'Keystone could not be tried.');
    });
  }

  /**
   * Tells whoever asks whether this is ready that it soon is not, and goes on serving for as long as configured, so
   * that balancers send their clients elsewhere; `stop` is to follow.
   */
  async announceStop(): Promise<void> {
    this.app.get(Ending).announce();
    await delay(this.environment.SHUTDOWN_NOTICE_SECONDS * 1000);
  }

  /** Sends clients to the other processes on the same port, without losing a request; `stop` is to follow. */
  handOver(): Promise<void> {
    return this.connections.handOver();
  }

  /**
   * Lets requests in flight finish, for as long as configured; then cuts what is left: the connections of clients, and
   * those to the database and its replicas, where a statement may hang. What is not over soon after is not waited for.
   */
  async stop(): Promise<void> {
    const inTime = new AbortController();
    const lastEnd = this.cutLate(inTime.signal).catch(() => undefined);
    try {
      await Promise.race([this.connections.drain(LINGERING).then(() => this.app.close()), lastEnd]);
    } finally {
      inTime.abort();
    }
  }

  /** @param inTime aborted when there is nothing left to cut: then it rejects */
  private async cutLate(inTime: AbortSignal): Promise<void> {
    await delay(this.environment.SHUTDOWN_SECONDS * 1000, undefined, { signal: inTime });
    this.app.getHttpServer().closeAllConnections();
    this.app.get(Pulse).cutAll();
    await delay(LAST_PATIENCE, undefined, { signal: inTime });
    say('Something does not end although all connections are cut: it is not waited for.');
  }
}

/** With a certificate the server is one of HTTPS. */
const ofTls = (httpsOptions: TlsOptions | undefined) => (httpsOptions ? { httpsOptions } : {});

/** Printed once, when an empty database got its first project and user; each on a line of its own. */
async function bootstrap(app: NestExpressApplication): Promise<void> {
  const made = await app.get(BootstrapService).bootstrap({ project: 'default', username: 'root' });
  if (made)
    process.stdout.write(`project: ${made.project}\nusername: ${made.username}\napi key: ${made.apiKey}\n`);
}

/** Said at every start, until the right key is back: otherwise it would show when a secret is needed. */
async function warnOfLostKey(app: NestExpressApplication): Promise<void> {
  const secrets = await app.get(AccessSecretsService, { strict: false }).sealedOtherwise();
  if (secrets > 0)
    say(
      `Access secrets that cannot be opened: ${String(secrets)}, for they were sealed with another key. Restore SECRETS_KEY or secrets.key.`,
    );
}
