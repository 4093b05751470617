import 'reflect-metadata';
import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { BootstrapService } from '../../src/accounts/bootstrap.service';
import { AppModule } from '../../src/app.module';
import { readEnvironment } from '../../src/config/environment';
import { configureApp } from '../../src/configure-app';
import { serverOptions } from '../../src/serving/client-limits';
import { tlsOptions } from '../../src/serving/transport/certificate';
import { AnswerAdapter } from '../../src/shared/http/answer';
import { SecretBox } from '../../src/shared/secret-box';
import { Caller } from './caller';
import { createTestDatabase, type TestDatabase } from './test-database';

/** The whole application on a database of its own, reached over HTTP. */
export interface TestApp {
  readonly url: string;
  /** The root user of the first project. */
  readonly root: Caller;
  /** For what cannot be asked over HTTP. */
  readonly databaseUrl: string;
  readonly nest: NestExpressApplication;
  /** A project of the test's own, and its admin. */
  project(name?: string): Promise<Caller>;
  close(): Promise<void>;
}

let projects = 0;

/** The application, and routes that only a test has. */
@Module({})
class TestModule {}

/** One process of the service, as far as a process can be had within another. */
export interface Instance {
  readonly url: string;
  readonly nest: NestExpressApplication;
  close(): Promise<void>;
}

/** Tests are wrong on purpose, and all of them from one address. */
const SETTINGS = { LOG_LEVEL: 'silent', DATABASE_POOL_SIZE: '10', WRONG_CREDENTIALS_LIMIT: '1000000' };

/** Starts the application as production does, on a database that is there: a second instance, say. */
export async function startInstance(
  databaseUrl: string,
  environment: Record<string, string> = {},
  controllers: Type[] = [],
): Promise<Instance> {
  const settings = readEnvironment({ ...SETTINGS, ...environment });
  const application = AppModule.with({
    environment: settings,
    connection: { url: databaseUrl },
    as: 'service',
    secrets: new SecretBox([randomBytes(32)]),
  });
  const tls = tlsOptions(settings);
  const nest = await NestFactory.create<NestExpressApplication>(
    { module: TestModule, imports: [application], controllers },
    new AnswerAdapter(serverOptions(settings)),
    { bodyParser: false, logger: false, abortOnError: false, ...(tls ? { httpsOptions: tls } : {}) },
  );
  configureApp(nest, settings);
  await nest.listen(0, '127.0.0.1');
  const url = (await nest.getUrl()).replace('[::1]', '127.0.0.1');
  return { url, nest, close: () => nest.close() };
}

/**
 * Starts the application on an empty database.
 * @param given the database; without it, a clone of the migrated template
 * @param controllers routes beside the application's own
 */
export async function startApp(
  environment: Record<string, string> = {},
  given?: TestDatabase,
  controllers: Type[] = [],
): Promise<TestApp> {
  const database = given ?? (await createTestDatabase());
  const { url, nest } = await startInstance(database.url, environment, controllers);
  const made = await nest.get(BootstrapService).bootstrap({ project: 'first', username: 'root' });
  if (!made) throw new Error('a cloned database was not empty');
  // Left alone for as long, a connection is not taken again: the service would soon close it.
  const connections = url.startsWith('https:') ? undefined : new Agent({ keepAlive: true, timeout: 2_000 });
  const root = new Caller(
    url,
    { token: made.apiKey, user: made.username, project: made.project },
    connections,
  );
  return {
    url,
    root,
    databaseUrl: database.url,
    nest,
    project: async (name = `project-${String(++projects)}`) => {
      const { id } = (await root.post('/v1/projects', { name }).expect(201)).body as { id: string };
      return root.in(id).user({ username: 'admin', is_admin: true });
    },
    close: async () => {
      connections?.destroy();
      await nest.close();
      await database.drop();
    },
  };
}
