import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { requireMigrated } from '../database/migrate';
import { verifyServiceLogin } from '../database/roles/service-role';
import type { Terminal } from './terminal';
import { AccountLookupService } from '../accounts/account-lookup.service';
import { type RequestContext, commandContext } from '../core/context/request-context';
import { AdminModule } from './admin.module';
import { withDatabase, type OpenedDatabase } from './command-database';

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
