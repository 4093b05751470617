import { Option, Command } from 'commander';
import { asObject, toNumber } from '../api/exact-json';
import { type OutputFormat, printList, printOne, displayValue } from '../output/formats';
import type { Row } from '../output/rows';
import { resources } from '../api/resources';
import { allDevices } from './resources/all-devices';
import { explainEmptyResult } from './resources/empty-result';
import { addFilters, filterOptions, filterQuery } from './resources/filter-flags';
import type { OptionValues } from './resources/member-flags';
import { type Session, openSession } from './session';
import { usageError } from '../cli-error';
import { describeKind } from '../lookup/resource-finder';
import { printIfUnknownKey } from '../lookup/unknown-key';
import { printStatus } from '../output/console';
import { describeInvalidChoice, pluralize } from '../text';
import { boundedLimitOption, collectList } from './shared-options';
import { parseKey } from './vars/arguments';

const GROUPINGS = ['region', 'cell', 'label', 'kind', 'active', 'device_type'];
const MAX_GROUPS = 10_000;

interface CountsOptions {
  readonly groupBy?: readonly string[];
  readonly limit: number;
}

/** `muster device counts` */
export function countsCommand(): Command {
  return addDeviceFilters(new Command('counts'))
    .description('Counts devices: all matching ones, or by group, the largest group first.')
    .addOption(
      new Option(
        '--group-by <names>',
        `what to group by, a comma-separated list of: ${GROUPINGS.join(', ')}`,
      ).argParser(parseGroupings),
    )
    .addOption(boundedLimitOption('groups', MAX_GROUPS, 1000))
    .addHelpText(
      'after',
      '\nA device with several labels is in several groups, and a device without labels is in none.',
    )
    .action(async (options: CountsOptions & OptionValues, command: Command) => {
      const session = openSession(command);
      const { groupBy = [], limit } = options;
      const query = await deviceQuery(session, options);
      const { body } = await session.muster.request('get', '/v1/devices/counts', {
        query: {
          ...query,
          group_by: groupBy.length > 0 ? groupBy : undefined,
          limit,
        },
      });
      const counts = asObject(body);
      if (groupBy.length === 0) {
        await printOne(session.format, { devices: counts['devices'] }, 'devices');
        await explainNoDevices(session, query, counts);
        return;
      }
      const groups = (counts['groups'] as unknown[]).map(asObject);
      const rows = groups.map((group): Row => ({
        ...Object.fromEntries(groupBy.map((name) => [name, groupText(group[name])])),
        devices: group['devices'],
      }));
      await printList(session.format, withBars(rows), {
        names: countColumns(session.format, groupBy),
        name: groupBy[0] ?? '',
      });
      const total = toNumber(counts['group_count']);
      if (total > rows.length)
        printStatus(`There are ${String(total)} groups: use --limit to show more of them.`);
      await explainNoDevices(session, query, counts);
    });
}

function parseGroupings(text: string, before: readonly string[] | undefined): string[] {
  const names = collectList(text, before).map((name) => name.trim().replaceAll('-', '_'));
  const unknown = names.find((name) => !GROUPINGS.includes(name));
  if (unknown === undefined) return names;
  throw usageError(describeInvalidChoice('--group-by', unknown, GROUPINGS));
}

const MAX_VALUES = 1000;

/** The value of the row for devices without the variable, in tables. */
const UNSET = '(unset)';

interface ValuesOptions {
  readonly path?: string;
  readonly groupBy?: string;
  readonly limit: number;
}

/** `muster vars values` */
export function valuesCommand(): Command {
  return addDeviceFilters(new Command('values'))
    .description('Shows how many devices resolve a variable to each of its values, the most frequent first.')
    .argument('<key>', 'the key of the variable')
    .option('--path <path>', 'counts a part of the value: a path inside it, such as rack.row or [0]')
    .addOption(
      new Option('--group-by <name>', 'counts the devices of each group separately').choices([
        'region',
        'cell',
        'label',
        'kind',
      ]),
    )
    .addOption(boundedLimitOption('values', MAX_VALUES, 30))
    .action(async (keyText: string, options: ValuesOptions & OptionValues, command: Command) => {
      const key = parseKey(keyText);
      const session = openSession(command);
      const { groupBy, path, limit } = options;
      const query = await deviceQuery(session, options);
      const { body } = await session.muster.request('get', '/v1/variable-keys/{key}/values', {
        path: { key },
        query: { ...query, path, group_by: groupBy, limit },
      });
      const { format } = session;
      const whole = asObject(body);
      if (format === 'json' || format === 'yaml') {
        await printOne(format, whole, 'key');
        await explainNoValues(session, key, query, whole);
        return;
      }
      const groups = groupBy === undefined ? [whole] : (whole['groups'] as unknown[]).map(asObject);
      const rows = groups.flatMap((group) => valueRows(format, group, groupBy));
      await printList(format, withBars(rows), {
        names: countColumns(format, groupBy === undefined ? ['value'] : [groupBy, 'value']),
        name: 'value',
      });
      const hidden = toNumber(whole['distinct']) - (whole['values'] as unknown[]).length;
      if (hidden > 0) printStatus(`${pluralize(hidden, 'more value')} not shown: use --limit or --path.`);
      await explainNoValues(session, key, query, whole);
    });
}

/** Prints why there is no value: no device, or a key that no resource sets. */
async function explainNoValues(session: Session, key: string, query: DeviceQuery, whole: Row): Promise<void> {
  await explainNoDevices(session, query, whole);
  if (toNumber(whole['distinct']) === 0) await printIfUnknownKey(session, key);
}

/** A row for each value of a group, and one for the devices without the variable. */
function valueRows(format: OutputFormat, group: Row, groupBy: string | undefined): Row[] {
  const key = groupBy === undefined ? {} : { [groupBy]: groupText(group[groupBy]) };
  const values = (group['values'] as unknown[]).map(asObject);
  const without = toNumber(group['without']);
  return [
    ...values.map(({ value, devices }) => ({ ...key, value: displayValue(format, value), devices })),
    ...(without > 0 ? [{ ...key, value: UNSET, devices: without }] : []),
  ];
}

/** Statistics are about matching devices only, not about their descendants. */
const filters = filterOptions(allDevices).filter(({ filter }) => filter.name !== 'descendants');

/** Adds options that select devices. */
const addDeviceFilters = (command: Command): Command =>
  addFilters(command, filters).addOption(
    new Option('--kind <kind>', 'only devices of this kind').choices(
      resources.filter(({ isDevice }) => isDevice).map(({ kind }) => kind),
    ),
  );

type DeviceQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The query parameters for the given options. */
const deviceQuery = async ({ finder, project }: Session, values: OptionValues): Promise<DeviceQuery> => ({
  ...(await filterQuery(filters, values, finder)),
  kind: values['kind'] as string | undefined,
  project_id: project,
});

/** Prints why the conditions on variables match no device. */
async function explainNoDevices(
  session: Session,
  { kind, ...query }: DeviceQuery,
  { devices }: Row,
): Promise<void> {
  if (toNumber(devices) > 0) return;
  await explainEmptyResult(session, typeof kind === 'string' ? describeKind(kind) : allDevices, query);
}

const BAR_WIDTH = 24;
const BAR = '█';

/** The column that shows numbers as bars. */
const BAR_COLUMN = 'bar';

/** The columns of a table of numbers of devices. Bars are for people: only a table on a terminal has them. */
const countColumns = (format: OutputFormat, names: readonly string[]): string[] => [
  ...names,
  'devices',
  ...(format === 'table' && process.stdout.isTTY ? [BAR_COLUMN] : []),
];

/** Adds a bar to each row. The row with the most devices has the longest bar. */
function withBars(rows: readonly Row[]): Row[] {
  const numbers = rows.map(({ devices }) => toNumber(devices));
  const most = Math.max(1, ...numbers);
  return rows.map((row, i) => {
    const share = (numbers[i] ?? 0) / most;
    // A small number of devices is not shown as none.
    return { ...row, [BAR_COLUMN]: BAR.repeat(share === 0 ? 0 : Math.max(1, Math.round(share * BAR_WIDTH))) };
  });
}

/** The key of a group as a text: the name of a resource, or the value itself. */
function groupText(group: unknown): unknown {
  if (typeof group !== 'object' || group === null) return group;
  return asObject(group)['name'];
}
