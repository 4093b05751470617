import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createServer, type Server } from 'node:http';
import { BootstrapService } from './accounts/bootstrap.service';
import { AccessSecretsService } from './access-secrets/access-secrets.service';
import { AppModule } from './app.module';
import { readEnvironment, type Environment } from './config/environment';
import { secretsKey } from './config/secrets-key';
import { configureApp } from './configure-app';
import { MetricsService } from './operations/metrics.service';
import { StartupError } from './shared/errors/startup-error';
import { AnswerAdapter } from './shared/http/answer';
import { hasServiceRole, migrate } from './shared/persistence/migrate';
import { openDatabase, type OpenDatabase } from './shared/persistence/open-database';

/** What is running, and how it ends. */
interface Running {
  readonly app: NestExpressApplication;
  readonly metrics: Server | undefined;
  readonly database: OpenDatabase;
}

const say = (sentence: string): void => {
  process.stderr.write(`muster: ${sentence}\n`);
};

/** Starts the service; whatever stops it from starting is said in one sentence, and the exit code is 1. */
export function run(): void {
  const stopRequested = stopSignal();
  serve(stopRequested).catch((error: unknown) => {
    if (error instanceof StartupError) say(error.message);
    else
      process.stderr.write(
        `muster: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
    process.exitCode = 1;
    // Something may still hold the process; there is nothing left for it to do.
    setTimeout(() => process.exit(), 5_000).unref();
  });
}

/** Resolves when the process is asked to stop. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => {
      resolve();
    });
    process.once('SIGTERM', () => {
      resolve();
    });
  });
}

async function serve(stopRequested: Promise<void>): Promise<void> {
  const environment = readEnvironment();
  const database = await openDatabase({ environment, role: 'service', create: true, note: say });
  try {
    const { app, metrics } = await start(environment, database);
    await stopRequested;
    await stop({ app, metrics, database }, environment.SHUTDOWN_SECONDS);
  } finally {
    await database.close();
  }
}

async function start(environment: Environment, database: OpenDatabase): Promise<Omit<Running, 'database'>> {
  const { connection, dataDir } = database;
  await migrate(connection);
  const as = (await hasServiceRole(connection)) ? 'service' : 'owner';
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with({
      environment,
      connection,
      as,
      secretsKey: secretsKey(environment.SECRETS_KEY, dataDir, say),
    }),
    new AnswerAdapter(),
    { bodyParser: false, bufferLogs: true, abortOnError: false },
  );
  configureApp(app, environment);
  try {
    await app.init();
    const metrics = await serveMetrics(app, environment);
    await listen(app, environment);
    await bootstrap(app);
    await warnOfLostKey(app);
    return { app, metrics };
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function listen(app: NestExpressApplication, { HOST, PORT }: Environment): Promise<void> {
  try {
    await app.listen(PORT, HOST);
  } catch (error) {
    throw portError(error, HOST, PORT);
  }
  say(`serving on ${await app.getUrl()}`);
}

function portError(error: unknown, host: string, port: number, variable = 'PORT'): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new StartupError(
      `The port ${String(port)} on ${host} is taken: stop what uses it, or set ${variable} to another.`,
    );
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StartupError(`There is no host ${host} to listen on: set HOST to an address of this machine.`);
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
    return new StartupError(
      `${host}:${String(port)} cannot be listened on (${code}): set HOST and PORT to others.`,
    );
  return error;
}

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
      `${String(secrets)} access secrets were sealed with another key and cannot be opened: restore SECRETS_KEY or secrets.key.`,
    );
}

async function serveMetrics(
  app: NestExpressApplication,
  { HOST, METRICS_PORT }: Environment,
): Promise<Server | undefined> {
  if (METRICS_PORT === undefined) return undefined;
  const { registry } = app.get(MetricsService);
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const reason = portError(error, HOST, METRICS_PORT, 'METRICS_PORT');
      reject(reason instanceof Error ? reason : error);
    });
    server.listen(METRICS_PORT, HOST, resolve);
  });
  return server;
}

/** Lets requests in flight finish, for as long as configured; then cuts what is left. */
async function stop({ app, metrics, database }: Running, seconds: number): Promise<void> {
  database.announceStop();
  const server = app.getHttpServer();
  const cut = setTimeout(() => {
    server.closeAllConnections();
  }, seconds * 1000);
  metrics?.close();
  await app.close();
  clearTimeout(cut);
}
