import { Command, InvalidArgumentError } from 'commander';
import {
  type CommandAction,
  EXIT,
  type ExitCode,
  type Terminal,
  print,
  printJson,
  printStatus,
} from '../terminal';
import { withOwnerConnection, assertSequenceAccess } from '../../database/connection/owner-connection';
import type { IntegrityFault, Finding } from '../integrity-check/check';
import { IntegrityCheckService } from '../integrity-check/integrity-check.service';
import { withDatabase } from '../command-database';
import { withServices } from '../command-services';

const HELP = `
All data is read from one snapshot, so the service can run and write. Each check is printed with the number of checked
items, and each fault with its location. The exit code is 1 if there are faults. With DATABASE_URL, the login of the
tables' owner is required in DATABASE_OWNER_URL.`;

/** `muster-admin verify` */
export function configure(command: Command, perform: CommandAction): void {
  command
    .option('--faults <max>', 'print at most this many faults of each check', positive, 100)
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: VerifyOptions) => perform((terminal) => verify(terminal, options)));
}

function positive(text: string): number {
  const max = Number(text);
  if (/^\d{1,9}$/.test(text) && max > 0) return max;
  throw new InvalidArgumentError('It must be a positive integer.');
}

interface VerifyOptions {
  readonly faults: number;
  readonly json?: true;
}

/** `muster-admin verify`. The exit code says whether there are faults. */
async function verify(terminal: Terminal, { faults: maxFaults, json }: VerifyOptions): Promise<ExitCode> {
  const findings: Finding[] = [];
  await withDatabase(terminal, async (session) => {
    // Sequences that the login may not read would look unused, and be reported as faults.
    await withOwnerConnection(session.connection, (dataSource) =>
      assertSequenceAccess(dataSource, 'Nothing was checked.'),
    );
    await withServices(
      session,
      (services) =>
        services.get(IntegrityCheckService).verify(maxFaults, (finding) => {
          findings.push(finding);
          if (!json) print(terminal, ...linesOf(finding));
        }),
      // The service's role may not read sequences.
      'owner',
    );
  });
  if (json) printJson(terminal, reportOf(findings));
  const found = findings.reduce((sum, finding) => sum + finding.found, 0);
  if (found === 0) return EXIT.done;
  printStatus(
    terminal,
    `The stored data is inconsistent: ${String(found)} ${found === 1 ? 'fault' : 'faults'}.`,
  );
  return EXIT.failed;
}

function linesOf({ check, checked, found, faults }: Finding): string[] {
  const outcome = found === 0 ? 'ok' : `${String(found)} ${found === 1 ? 'fault' : 'faults'}`;
  const more = found - faults.length;
  return [
    `${check.name}: ${check.invariant}: ${String(checked)} checked, ${outcome}`,
    ...faults.map((fault) => `  ${resourceOf(fault)}: ${fault.problem}`),
    ...(more > 0 ? [`  … and ${String(more)} more`] : []),
  ];
}

const resourceOf = ({ kind, id, project_id }: IntegrityFault): string =>
  id === null ? `${kind} ${project_id ?? ''}` : `${kind} ${String(id)} of the project ${project_id ?? ''}`;

const reportOf = (findings: readonly Finding[]) => ({
  checks: findings.map(({ check, checked, found }) => ({ ...check, checked, faults: found })),
  faults: findings.flatMap(({ check, faults }) => faults.map((fault) => ({ check: check.name, ...fault }))),
});
