import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Environment, readEnvironment } from '../config/environment';
import type { Connection } from '../database/connection/connection';
import { requireMigrated } from '../database/migrate';
import { openDatabase } from '../database/connection/open-database';
import { verifyServiceLogin } from '../database/roles/service-role';
import { printStatus, type Terminal } from './terminal';
import { AccountLookupService } from '../accounts/account-lookup.service';
import { type RequestContext, commandContext } from '../core/context/request-context';
import { AdminModule } from './admin.module';

/** The open database of a command. */
export interface OpenedDatabase {
  readonly environment: Environment;
  readonly connection: Connection;
  /** The folder for data outside of the database. */
  readonly dataDir: string;
}

/**
 * Runs a command's work on the database of the environment, and closes it afterwards.
 * @param create whether to create the embedded database if it does not exist
 * @throws StartupError if it cannot be opened
 */
export async function withDatabase<T>(
  terminal: Terminal,
  work: (session: OpenedDatabase) => Promise<T>,
  create = false,
): Promise<T> {
  const environment = readEnvironment(terminal.environment);
  const note = (sentence: string) => {
    printStatus(terminal, sentence);
  };
  const database = await openDatabase({ environment, role: 'command', create, log: note });
  try {
    return await work({ environment, connection: database.connection, dataDir: database.dataDir });
  } finally {
    await database.close();
  }
}

/**
 * Runs a command's work with the application's services.
 * @param as `owner` for data that the service's role may not read
 * @throws StartupError if the schema does not have the version of this program
 */
export async function withServices<T>(
  { environment, connection }: Pick<OpenedDatabase, 'environment' | 'connection'>,
  work: (services: INestApplicationContext) => Promise<T>,
  as: 'service' | 'owner' = 'service',
): Promise<T> {
  await requireMigrated(connection);
  const role = as === 'service' ? (await verifyServiceLogin(connection)).as : 'owner';
  const services = await NestFactory.createApplicationContext(
    AdminModule.with(environment, connection, role),
    { logger: false, abortOnError: false },
  );
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}

/** Runs a command's work with the services, as root, in the given project. */
export function runInProject<T>(
  terminal: Terminal,
  { project, reason }: ProjectOptions,
  work: (ctx: RequestContext, services: INestApplicationContext) => Promise<T>,
): Promise<T> {
  return withDatabase(terminal, (session) =>
    withServices(session, async (services) => {
      const { id } = await services.get(AccountLookupService).project(commandContext(reason), project);
      return work(commandContext(reason, id), services);
    }),
  );
}

/** The options of commands for users of a project. */
export interface ProjectOptions {
  readonly project: string;
  readonly reason?: string;
  readonly json?: true;
}

/** The option of commands that write. */
export const REASON = ['--reason <text>', 'the reason in the change record'] as const;
