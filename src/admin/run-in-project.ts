import type { INestApplicationContext } from '@nestjs/common';
import { commandContext } from '../accounts/bootstrap.service';
import { AccountLookupService } from '../accounts/account-lookup.service';
import type { RequestContext } from '../core/context/request-context';
import { withDatabase, withServices } from './session';
import type { Terminal } from './terminal';
import type { ProjectOptions } from './commands/user-options';

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
