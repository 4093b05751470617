import { Command, Option } from 'commander';
import { changeKinds } from '../../api/resources';
import { CliError, EXIT, usageError } from '../../cli-error';
import { changeSummaryRow, readChange, summarizeChange } from './change-record';
import { limitOption, pageLimit, takeFirst, parseTimeOption, TIME_HELP } from '../shared-options';
import { openSession, type Session } from '../session';
import { isUuid, type ResourceFinder } from '../../lookup/resource-finder';
import { printList, type OutputFormat, type Row } from '../../output/formats';

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

const SETTINGS = 'project-settings';

const EXAMPLES = `
Examples:
  muster change list --kind host --resource web-1
  muster change list --by operator --since 2026-11-20 --key kernel`;

/** `muster change list` */
export function listCommand(): Command {
  return new Command('list')
    .description('Lists changes, newest first, with time, author, objects, affected devices and reason.')
    .addOption(new Option('--kind <kind>', 'only changes to resources of this kind').choices(changeKinds))
    .option(
      '--resource <name>',
      'only changes to this resource; requires --kind; a deleted or nameless resource by its id',
    )
    .option('--key <key>', 'only changes to variables with this key')
    .option('--by <user>', 'only changes by this user')
    .option('--because <text>', 'only changes with this text in the reason')
    .option('--since <time>', `only changes at or after this time: ${TIME_HELP}`, parseTimeOption)
    .option('--until <time>', 'only changes before this time', parseTimeOption)
    .option('--request-id <id>', 'only the change of this request')
    .addOption(limitOption())
    .addHelpText('after', EXAMPLES)
    .action(async (options: ListOptions, command: Command) => {
      const session = openSession(command);
      const { muster, project, format } = session;
      const changes = muster.items('/v1/changes', {
        query: {
          ...(await resourceFilter(session, options)),
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
      await printList(format, takeFirst(changeRows(format, changes), options.limit), {
        names: ['id', 'time', 'who', 'what', 'devices', 'reason'],
        name: 'id',
      });
    });
}

/** The filters for `--kind` and `--resource`. */
async function resourceFilter(
  { finder }: Session,
  { kind, resource }: ListOptions,
): Promise<Readonly<Record<string, string | undefined>>> {
  if (resource === undefined) return { kind };
  if (kind === undefined) throw usageError('--resource requires --kind.');
  return { resource: `${kind}/${await findResourceId(finder, kind, resource)}` };
}

/**
 * Finds the id of a resource. The changes of a deleted resource are found by its id only. Settings have the id of their
 * project, and only root can look projects up.
 */
async function findResourceId(finder: ResourceFinder, kind: string, identifier: string): Promise<string> {
  const lookupKind = kind === SETTINGS ? 'project' : kind;
  if (lookupKind === 'project' && isUuid(identifier)) return identifier;
  try {
    return (await finder.find(lookupKind, identifier)).id;
  } catch (error) {
    if (!(error instanceof CliError && error.exitCode === EXIT.notFound)) throw error;
    if (/^\d{1,15}$/.test(identifier)) return identifier;
    throw new CliError(error.message, error.exitCode, ['  A deleted resource can be given by its id.']);
  }
}

/** Rows for people contain a summary; rows for programs contain the record. */
async function* changeRows(format: OutputFormat, changes: AsyncIterable<unknown>): AsyncGenerator<Row> {
  for await (const item of changes) {
    const record = readChange(item);
    yield format === 'table' || format === 'csv'
      ? { ...changeSummaryRow(record), what: summarizeChange(record) }
      : record.members;
  }
}
