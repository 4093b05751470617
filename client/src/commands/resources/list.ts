import { Command, Option } from 'commander';
import type { ResourceDescription } from '../../api/resource-description';
import { usageError } from '../../cli-error';
import { limitOption, pageLimit, printTruncated } from '../shared-options';
import { KIND_MEMBER } from './all-devices';
import { listColumns, referencesOf, renderRows, requiredMembers, type ColumnOptions } from './columns';
import { explainEmptyResult } from './empty-result';
import { addFilters, filterOptions, filterQuery, type FilterOption } from './filter-flags';
import { findMissingLabels } from './new-labels';
import { ListReader, mergeLists, rowComparator } from './merge-lists';
import { openSession, type Session } from '../session';
import { describeKinds } from '../../lookup/resource-finder';
import { printStatus } from '../../output/console';
import { printList } from '../../output/formats';

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
    .option('--detail', 'show all members and the resolved variables')
    .option(
      '--fields <names>',
      `the members to show, a comma-separated list of: ${fieldNames(resource).join(', ')}`,
    )
    .addOption(limitOption())
    .addOption(
      new Option(
        '--sort-key <names>',
        `the members to sort by, a comma-separated list of: ${resource.sortKeys.join(', ')}`,
      )
        .argParser((value: string, before: readonly string[]) => [
          ...before,
          ...parseSortKeys(value, resource),
        ])
        .default([], 'id'),
    )
    .addOption(
      new Option('--sort-dir <direction>', 'the sort direction').choices(['asc', 'desc']).default('asc'),
    );
  return addAddressAlias(addFilters(command, filters), filters).action(
    async (options: ListOptions, running: Command) => {
      const session = openSession(running);
      const { muster, project, format } = session;
      const columns = listColumns(resource, format, options);
      const narrowed = await filterQuery(filters, options, session.finder);
      const fieldsToRead = [...requiredMembers(columns), ...options.sortKey, 'id'];
      const lists = describeKinds(resource.kind).map(
        ({ kind, collection, fields }) =>
          new ListReader(
            muster,
            resource.fields.includes(KIND_MEMBER) && resource.kind !== kind ? { kind } : {},
            `/v1/${collection}`,
            {
              query: {
                ...narrowed,
                project_id: resource.kind === 'project' ? undefined : project,
                fields: [...new Set(fieldsToRead)].filter((name) => fields.includes(name)),
                limit: pageLimit(options.limit),
                sort_keys: options.sortKey.length > 0 ? options.sortKey : undefined,
                sort_dir: options.sortDir,
              },
            },
          ),
      );
      const order = rowComparator({ keys: options.sortKey, descending: options.sortDir === 'desc' });
      const rows = mergeLists(lists, order, options.limit);
      let count = 0;
      const countedRows = async function* () {
        for await (const row of rows) {
          count++;
          yield row;
        }
      };
      await printList(format, renderRows(countedRows(), columns, session), {
        names: columns.columns,
        name: resource.nameMember ?? 'id',
      });
      if (count === 0) await printUnknownLabels(session, narrowed['label']);
      if (count === 0 && (format === 'table' || process.stderr.isTTY))
        await explainEmptyResult(session, resource, {
          ...narrowed,
          project_id: resource.kind === 'project' ? undefined : project,
        });
      if (lists.some(({ hasMore }) => hasMore)) printTruncated(options.limit);
    },
  );
}

/** The filter for the member `ip_address` is named `ip`. */
function addAddressAlias(command: Command, filters: readonly FilterOption[]): Command {
  if (!filters.some(({ option }) => option.long === '--ip')) return command;
  return command
    .addOption(new Option('--ip-address <ip>', 'an alias of --ip'))
    .on('option:ip-address', (value: string) => command.setOptionValue('ip', value));
}

const fieldNames = (resource: ResourceDescription): string[] => [
  ...resource.fields,
  ...referencesOf(resource).map(({ column }) => column),
];

function parseSortKeys(text: string, { sortKeys }: ResourceDescription): string[] {
  const keys = text.split(',').map((key) => key.trim());
  const unknown = keys.find((key) => !sortKeys.includes(key));
  if (unknown === undefined) return keys;
  throw usageError(`Invalid sort key ${JSON.stringify(unknown)}. --sort-key accepts ${sortKeys.join(', ')}.`);
}

/** Prints which labels of an empty result do not exist. */
async function printUnknownLabels(
  { muster, project }: Session,
  filter: string | readonly string[] | undefined,
): Promise<void> {
  if (filter === undefined) return;
  const labels = [...new Set(typeof filter === 'string' ? [filter] : filter)];
  for (const label of await findMissingLabels(muster, project, labels))
    printStatus(`There is no label ${JSON.stringify(label)}.`);
}
