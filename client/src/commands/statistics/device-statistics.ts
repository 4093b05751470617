import { asObject, toNumber } from '../../api/exact-json';
import type { OutputFormat, Row } from '../../output/formats';
import { Option, type Command } from 'commander';
import { resources } from '../../api/resources';
import { allDevices } from '../resources/all-devices';
import { addFilters, filterOptions, filterQuery } from '../resources/filter-flags';
import type { OptionValues } from '../resources/member-flags';
import type { Session } from '../session';

/** Statistics are about matching devices only, not about their descendants. */
const filters = filterOptions(allDevices).filter(({ filter }) => filter.name !== 'descendants');

/** Adds options that select devices. */
export const addDeviceFilters = (command: Command): Command =>
  addFilters(command, filters).addOption(
    new Option('--kind <kind>', 'only devices of this kind').choices(
      resources.filter(({ isDevice }) => isDevice).map(({ kind }) => kind),
    ),
  );

/** The query parameters for the given options. */
export const deviceQuery = async (
  { finder, project }: Session,
  values: OptionValues,
): Promise<Readonly<Record<string, string | readonly string[] | undefined>>> => ({
  ...(await filterQuery(filters, values, finder)),
  kind: values['kind'] as string | undefined,
  project_id: project,
});

const BAR_WIDTH = 24;
const BAR = '█';

/** The column that shows numbers as bars. */
const BAR_COLUMN = 'bar';

/** The columns of a table of numbers of devices. Bars are for people: only a table on a terminal has them. */
export const countColumns = (format: OutputFormat, names: readonly string[]): string[] => [
  ...names,
  'devices',
  ...(format === 'table' && process.stdout.isTTY ? [BAR_COLUMN] : []),
];

/** Adds a bar to each row. The row with the most devices has the longest bar. */
export function withBars(rows: readonly Row[]): Row[] {
  const numbers = rows.map(({ devices }) => toNumber(devices));
  const most = Math.max(1, ...numbers);
  return rows.map((row, i) => {
    const share = (numbers[i] ?? 0) / most;
    // A small number of devices is not shown as none.
    return { ...row, [BAR_COLUMN]: BAR.repeat(share === 0 ? 0 : Math.max(1, Math.round(share * BAR_WIDTH))) };
  });
}

/** The key of a group as a text: the name of a resource, or the value itself. */
export function groupText(group: unknown): unknown {
  if (typeof group !== 'object' || group === null) return group;
  return asObject(group)['name'];
}
