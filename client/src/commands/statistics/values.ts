import { Command, Option } from 'commander';
import { asObject, toNumber } from '../../api/exact-json';
import { pluralize, printStatus } from '../../output/console';
import { displayValue, printList, printOne, type OutputFormat, type Row } from '../../output/formats';
import { boundedLimitOption } from '../shared-options';
import type { OptionValues } from '../resources/member-flags';
import { openSession } from '../session';
import { parseKey } from '../vars/assignments';
import { addDeviceFilters, countColumns, deviceQuery, groupText, withBars } from './device-statistics';

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
      const { body } = await session.muster.request('get', '/v1/variable-keys/{key}/values', {
        path: { key },
        query: { ...(await deviceQuery(session, options)), path, group_by: groupBy, limit },
      });
      const { format } = session;
      const whole = asObject(body);
      if (format === 'json' || format === 'yaml') {
        await printOne(format, whole, 'key');
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
    });
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
