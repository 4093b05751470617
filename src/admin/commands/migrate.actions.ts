import { migrate, schemaStatus } from '../../database/migrate';
import { EXIT, type ExitCode } from '../exit-codes';
import { print, printJson } from '../output';
import { withDatabase } from '../session';
import type { Terminal } from '../terminal';

export interface MigrateOptions {
  readonly status?: true;
  readonly json?: true;
}

/** `muster-admin migrate` */
export function migrateSchema(terminal: Terminal, { json }: MigrateOptions): Promise<ExitCode> {
  return withDatabase(
    terminal,
    async ({ connection }) => {
      const migrated = await migrate(connection);
      if (json) printJson(terminal, { migrated });
      else if (migrated.length === 0) print(terminal, 'The schema is up to date.');
      else print(terminal, ...migrated.map((name) => `migrated: ${name}`));
      return EXIT.done;
    },
    true,
  );
}

/** `muster-admin migrate --status`. The exit code says whether the schema has the version of this program. */
export function showStatus(terminal: Terminal, { json }: MigrateOptions): Promise<ExitCode> {
  return withDatabase(terminal, async ({ connection }) => {
    const status = await schemaStatus(connection);
    if (json) printJson(terminal, status);
    else
      print(
        terminal,
        ...status.applied.filter((name) => !status.unknown.includes(name)).map((name) => `applied: ${name}`),
        ...status.pending.map((name) => `pending: ${name}`),
        ...status.unknown.map((name) => `unknown: ${name}`),
      );
    if (status.unknown.length > 0) return EXIT.unknown;
    return status.pending.length > 0 ? EXIT.pending : EXIT.done;
  });
}
