import type { INestApplicationContext } from '@nestjs/common';
import { commandContext } from '../accounts/command-context';
import { DirectoryService } from '../accounts/directory.service';
import type { RequestContext } from '../shared/context/request-context';
import { withDatabase, withServices } from './session';

/** What the commands about the users of a project take. */
export interface ProjectOptions {
  readonly project: string;
  readonly reason?: string;
  readonly json?: true;
}

/** The option of whatever writes. */
export const REASON = ['--reason <text>', 'why; it stands in the change record'] as const;

/** Runs a command's work with the services, as somebody who may do everything, in the project that was named. */
export async function inProject(
  { project, reason }: ProjectOptions,
  work: (ctx: RequestContext, services: INestApplicationContext) => Promise<void>,
): Promise<void> {
  await withDatabase((session) =>
    withServices(session, async (services) => {
      const { id } = await services.get(DirectoryService).project(commandContext(reason), project);
      await work(commandContext(reason, id), services);
    }),
  );
}
