import { Command, Option } from 'commander';
import { resources } from '../../api/resources';
import { Finder } from '../../lookup/resource-finder';
import { EXIT, Failure, usage } from '../../cli-error';
import { printList, type Format, type Row } from '../../output/formats';
import { firstOf, limitOption, pageLimit } from '../limit-option';
import { openSession, type Session } from '../session';
import { headOf, recordOf, summaryOf } from './change-record';

interface ListOptions {
  readonly kind?: string;
  readonly resource?: string;
  readonly key?: string;
  readonly by?: string;
  readonly because?: string;
  readonly since?: string;
  readonly until?: string;
  readonly requestId?: string;
  readonly limit: number;
}

const EXAMPLES = `
Examples:
  muster change list --kind host --resource web-1
  muster change list --by operator --since 2026-11-20 --key kernel`;

/** `muster change list` */
export function listChanges(): Command {
  return new Command('list')
    .description('Lists changes, newest first: when, by whom, what they touched, how many devices, and why.')
    .addOption(
      new Option('--kind <kind>', 'those that touched resources of this kind').choices(
        resources.map(({ kind }) => kind),
      ),
    )
    .option('--resource <name>', 'with --kind: those that touched this one; what is deleted, by its id')
    .option('--key <key>', 'those that touched the variable of this key')
    .option('--by <user>', 'those that this user made')
    .option('--because <text>', 'those with this text in the reason')
    .option('--since <time>', 'those made at this time or later, in UTC: 2026-11-20T14:37:06')
    .option('--until <time>', 'those made before this time, in UTC')
    .option('--request-id <id>', 'the one that this request made')
    .addOption(limitOption())
    .addHelpText('after', EXAMPLES)
    .action(async (options: ListOptions, running: Command) => {
      const session = openSession(running);
      const { muster, project, format } = session;
      const changes = muster.items('/v1/changes', {
        query: {
          ...(await touched(session, options)),
          key: options.key,
          actor: options.by,
          reason: options.because,
          since: options.since,
          until: options.until,
          request_id: options.requestId,
          project_id: project,
          limit: pageLimit(options.limit),
          sort_dir: 'desc',
        },
      });
      await printList(format, firstOf(rowsOf(format, changes), options.limit), {
        names: ['id', 'time', 'who', 'what', 'devices', 'reason'],
        name: 'id',
      });
    });
}

/** The filters for what changes have touched. */
async function touched(
  { muster, project }: Session,
  { kind, resource }: ListOptions,
): Promise<Readonly<Record<string, string | undefined>>> {
  if (resource === undefined) return { kind };
  if (kind === undefined) throw usage('--resource goes with --kind, which says what it is.');
  return { resource: `${kind}/${await idOf(new Finder(muster, project), kind, resource)}` };
}

/** What is deleted by now has a history all the same, which is found by its id. */
async function idOf(finder: Finder, kind: string, given: string): Promise<string> {
  try {
    return (await finder.find(kind, given)).id;
  } catch (error) {
    if (!(error instanceof Failure && error.exitCode === EXIT.notFound)) throw error;
    if (/^\d{1,15}$/.test(given)) return given;
    throw new Failure(error.message, error.exitCode, ['  What is deleted by now is found by its id.']);
  }
}

/** For people what a change comes to; for programs the record. */
async function* rowsOf(format: Format, changes: AsyncIterable<unknown>): AsyncGenerator<Row> {
  for await (const item of changes) {
    const record = recordOf(item);
    yield format === 'table' || format === 'csv'
      ? { ...headOf(record), what: summaryOf(record) }
      : record.members;
  }
}
