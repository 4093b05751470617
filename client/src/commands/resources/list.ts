import { Command, Option } from 'commander';
import type { ResourceDescription } from '../../api/resource-description';
import { Finder, kindsOf } from '../../lookup/resource-finder';
import { usage } from '../../cli-error';
import { printList } from '../../output/formats';
import { limitOption, pageLimit, sayMoreThan } from '../limit-option';
import { openSession, type Session } from '../session';
import { KIND } from './all-devices';
import { addFilters, filterOptions, filterQuery, type FilterOption } from './filter-flags';
import { comparing, laidTogether, ListReader } from './merge-lists';
import { type ColumnOptions, membersFor, referencesOf, shownInList, shownRows } from './columns';
import { asObject } from '../../api/exact-json';
import { say } from '../../output/console';

interface ListOptions extends ColumnOptions {
  readonly limit: number;
  readonly sortKey: readonly string[];
  readonly sortDir: 'asc' | 'desc';
  readonly [filter: string]: unknown;
}

/** `muster host list` */
export function listCommand(resource: ResourceDescription): Command {
  const filters = filterOptions(resource);
  const command = new Command('list')
    .description(`Lists ${resource.collection.replaceAll('-', ' ')}.`)
    .option('--detail', 'show every member, and the resolved variables')
    .option('--fields <names>', `members to show, joined by commas: ${fieldNames(resource).join(', ')}`)
    .addOption(limitOption())
    .addOption(
      new Option(
        '--sort-key <names>',
        `members to sort by, joined by commas: ${resource.sortKeys.join(', ')}`,
      )
        .argParser((value: string, before: readonly string[]) => [
          ...before,
          ...parseSortKeys(value, resource),
        ])
        .default([], 'id'),
    )
    .addOption(
      new Option('--sort-dir <direction>', 'the direction to sort in')
        .choices(['asc', 'desc'])
        .default('asc'),
    );
  return withAddressAlias(addFilters(command, filters), filters).action(
    async (options: ListOptions, running: Command) => {
      const session = openSession(running);
      const { muster, project, format } = session;
      const shown = shownInList(resource, format, options);
      const narrowed = await filterQuery(filters, options, new Finder(muster, project));
      const wanted = [...membersFor(shown), ...options.sortKey, 'id'];
      const lists = kindsOf(resource.kind).map(
        ({ kind, collection, fields }) =>
          new ListReader(
            muster,
            resource.fields.includes(KIND) && resource.kind !== kind ? { kind } : {},
            `/v1/${collection}`,
            {
              query: {
                ...narrowed,
                project_id: resource.kind === 'project' ? undefined : project,
                fields: [...new Set(wanted)].filter((name) => fields.includes(name)),
                limit: pageLimit(options.limit),
                sort_keys: options.sortKey.length > 0 ? options.sortKey : undefined,
                sort_dir: options.sortDir,
              },
            },
          ),
      );
      const order = comparing({ keys: options.sortKey, descending: options.sortDir === 'desc' });
      const rows = laidTogether(lists, order, options.limit);
      let found = 0;
      const noted = async function* () {
        for await (const row of rows) {
          found++;
          yield row;
        }
      };
      await printList(format, shownRows(noted(), shown, session), {
        names: shown.columns,
        name: resource.nameMember ?? 'id',
      });
      if (found === 0) await tellUnknownLabels(session, narrowed['label']);
      if (lists.some(({ hasMore }) => hasMore)) sayMoreThan(options.limit);
    },
  );
}

/** The member is called `ip_address`, and its filter `ip`. */
function withAddressAlias(command: Command, filters: readonly FilterOption[]): Command {
  if (!filters.some(({ option }) => option.long === '--ip')) return command;
  return command
    .addOption(new Option('--ip-address <ip>', 'the same as --ip'))
    .on('option:ip-address', (value: string) => command.setOptionValue('ip', value));
}

const fieldNames = (resource: ResourceDescription): string[] => [
  ...resource.fields,
  ...referencesOf(resource).map(({ column }) => column),
];

function parseSortKeys(given: string, { sortKeys }: ResourceDescription): string[] {
  const keys = given.split(',').map((key) => key.trim());
  const unknown = keys.find((key) => !sortKeys.includes(key));
  if (unknown === undefined) return keys;
  throw usage(`There is no sorting by ${JSON.stringify(unknown)}. --sort-key takes: ${sortKeys.join(', ')}.`);
}

/** Nothing has these labels: says of those that do not even exist that they do not. */
async function tellUnknownLabels(
  { muster, project }: Session,
  asked: string | readonly string[] | undefined,
): Promise<void> {
  if (asked === undefined) return;
  const labels = [...new Set(typeof asked === 'string' ? [asked] : asked)];
  const isThere = await Promise.all(
    labels.map(async (label) => {
      const query = { label, project_id: project, fields: ['label'] };
      const { items } = await muster.firstPage('/v1/labels', { query });
      return items.some((item) => asObject(item)['label'] === label);
    }),
  );
  for (const [at, label] of labels.entries())
    if (!isThere[at]) say(`There is no label ${JSON.stringify(label)}.`);
}
