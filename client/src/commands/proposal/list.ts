import { Command, Option } from 'commander';
import { resources } from '../../api/resources';
import { asObject } from '../../api/exact-json';
import { usageError } from '../../cli-error';
import { printList, type OutputFormat } from '../../output/formats';
import type { Row } from '../../output/rows';
import { openSession, type Session } from '../session';
import { limitOption, pageLimit, takeFirst } from '../shared-options';
import { PROPOSAL_COLUMNS, proposalRow } from './proposal-output';

const PROPOSABLE_KINDS = resources.filter(({ isProposable }) => isProposable).map(({ kind }) => kind);
const STATES = ['open', 'approved', 'applied', 'rejected', 'withdrawn'];

interface ListOptions {
  readonly state?: string;
  readonly author?: string;
  readonly waiting?: true;
  readonly kind?: string;
  readonly resource?: string;
  readonly key?: string;
  readonly limit: number;
}

const EXAMPLES = `
Examples:
  muster proposal list --waiting
  muster proposal list --state open --kind region --resource north
  muster proposal list --author me --key ntp_servers`;

/** `muster proposal list` */
export const listCommand = (): Command =>
  new Command('list')
    .description('Lists proposals, newest first, with state, author and approvals.')
    .addOption(new Option('--state <state>', 'only those in this state').choices(STATES))
    .option('--author <user>', 'only those of this user; me for your own')
    .option(
      '--waiting',
      'only those that wait for you: to be reviewed, or your own that were approved or rejected',
    )
    .addOption(
      new Option('--kind <kind>', 'only those that write a resource of this kind').choices(PROPOSABLE_KINDS),
    )
    .option('--resource <name>', 'only those that write this resource; requires --kind')
    .option('--key <key>', 'only those that write this variable')
    .addOption(limitOption())
    .addHelpText('after', EXAMPLES)
    .action(async (options: ListOptions, command: Command) => {
      const session = openSession(command);
      const { muster, project, format } = session;
      const { state, author, waiting, key, limit } = options;
      const found = muster.items('/v1/proposals', {
        query: {
          ...(await resourceFilter(session, options)),
          state,
          author,
          waiting_for: waiting ? 'me' : undefined,
          key,
          project_id: project,
          limit: pageLimit(limit),
          sort_dir: 'desc',
        },
      });
      await printList(format, takeFirst(rows(format, found), limit), { names: PROPOSAL_COLUMNS, name: 'id' });
    });

/** The filters for `--kind` and `--resource`. @throws CliError */
async function resourceFilter(
  { finder }: Session,
  { kind, resource }: ListOptions,
): Promise<Readonly<Record<string, string | undefined>>> {
  if (resource === undefined) return { kind };
  if (kind === undefined)
    throw usageError('--resource requires --kind: for example --kind host --resource web-1.');
  const found = await finder.find(kind, resource);
  return { resource: `${found.resource.collection}/${found.id}` };
}

async function* rows(format: OutputFormat, proposals: AsyncIterable<unknown>): AsyncGenerator<Row> {
  for await (const item of proposals) {
    const proposal = asObject(item);
    yield format === 'table' || format === 'csv' ? proposalRow(proposal) : proposal;
  }
}
