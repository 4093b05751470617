import { Command, InvalidArgumentError } from 'commander';
import { asOwner } from '../shared/persistence/connected-as';
import { requireSequences } from '../shared/persistence/owner-login';
import type { Fault, Finding } from '../verification/check';
import { VerificationService } from '../verification/verification.service';
import { print, printJson, say } from './output';
import { withDatabase, withServices } from './session';

interface Options {
  readonly faults: number;
  readonly json?: true;
}

const HELP = `
Everything is read from one state of the database, so that whatever is written meanwhile does no harm; the service may
run. Each check is printed with how many things it looked at, and each fault with where it is. The exit code is 1 if
there is a fault. With DATABASE_URL, the login is that of the tables' owner, in DATABASE_OWNER_URL; the service's own is
refused.`;

/** `muster-admin verify` */
export function verifyCommand(): Command {
  return new Command('verify')
    .description('Checks that the stored data agrees with itself.')
    .option('--faults <most>', 'print at most this many faults of each check', positive, 100)
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(verify);
}

function positive(text: string): number {
  const most = Number(text);
  if (/^\d{1,9}$/.test(text) && most > 0) return most;
  throw new InvalidArgumentError('It is a number above zero.');
}

async function verify({ faults: most, json }: Options): Promise<void> {
  const findings: Finding[] = [];
  await withDatabase(async (session) => {
    // Those that it may not look at would be taken for behind.
    await asOwner(session.connection, (dataSource) => requireSequences(dataSource, 'Nothing was checked.'));
    await withServices(
      session,
      (services) =>
        services.get(VerificationService).verify(most, (finding) => {
          findings.push(finding);
          if (!json) print(...linesOf(finding));
        }),
      // The service's role may not look at sequences.
      'owner',
    );
  });
  if (json) printJson(reportOf(findings));
  const found = findings.reduce((sum, finding) => sum + finding.found, 0);
  if (found === 0) return;
  say(`The stored data does not agree with itself: ${String(found)} ${found === 1 ? 'fault' : 'faults'}.`);
  process.exitCode = 1;
}

function linesOf({ check, checked, found, faults }: Finding): string[] {
  const outcome = found === 0 ? 'ok' : `${String(found)} ${found === 1 ? 'fault' : 'faults'}`;
  const more = found - faults.length;
  return [
    `${check.name}: ${check.promise}: ${String(checked)} checked, ${outcome}`,
    ...faults.map((fault) => `  ${placeOf(fault)}: ${fault.problem}`),
    ...(more > 0 ? [`  … and ${String(more)} more`] : []),
  ];
}

const placeOf = ({ kind, id, project_id }: Fault): string =>
  id === null ? `${kind} ${project_id ?? ''}` : `${kind} ${String(id)} of the project ${project_id ?? ''}`;

const reportOf = (findings: readonly Finding[]) => ({
  checks: findings.map(({ check, checked, found }) => ({ ...check, checked, faults: found })),
  faults: findings.flatMap(({ check, faults }) => faults.map((fault) => ({ check: check.name, ...fault }))),
});
