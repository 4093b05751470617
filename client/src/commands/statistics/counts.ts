import { Command, Option } from 'commander';
import { asObject, toNumber } from '../../api/exact-json';
import { usageError } from '../../cli-error';
import { printStatus } from '../../output/console';
import { printList, printOne, type Row } from '../../output/formats';
import { boundedLimitOption } from '../shared-options';
import type { OptionValues } from '../resources/member-flags';
import { openSession } from '../session';
import { addDeviceFilters, countColumns, deviceQuery, groupText, withBars } from './device-statistics';

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
      const { body } = await session.muster.request('get', '/v1/devices/counts', {
        query: {
          ...(await deviceQuery(session, options)),
          group_by: groupBy.length > 0 ? groupBy : undefined,
          limit,
        },
      });
      const counts = asObject(body);
      if (groupBy.length === 0) {
        await printOne(session.format, { devices: counts['devices'] }, 'devices');
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
    });
}

function parseGroupings(text: string): string[] {
  const names = text.split(',').map((name) => name.trim().replaceAll('-', '_'));
  const unknown = names.find((name) => !GROUPINGS.includes(name));
  if (unknown === undefined) return names;
  throw usageError(`Invalid --group-by ${JSON.stringify(unknown)}: use ${GROUPINGS.join(', ')}.`);
}
