import { Command } from 'commander';
import { asObject } from '../../api/exact-json';
import type { Muster } from '../../api/muster';
import {
  changeSummaryRow,
  parseChangeId,
  printObjectChanges,
  readChange,
  type ChangeRecord,
} from './change-record';
import { openSession } from '../session';
import { print, printStatus } from '../../output/console';
import { printOne, type Row } from '../../output/formats';

/** `muster change show` */
export function showCommand(): Command {
  return new Command('show')
    .description('Shows a change: the members of each changed object, before and after.')
    .argument('<id>', 'the id, as shown by "muster change list"')
    .action(async (idText: string, _, command: Command) => {
      const id = parseChangeId(idText);
      const { muster, format } = openSession(command);
      const record = readChange((await muster.request('get', '/v1/changes/{id}', { path: { id } })).body);
      const { members, objects, total } = record;
      if (format === 'table') {
        const head = { ...changeSummaryRow(record), request_id: members['request_id'], touched: total };
        await printOne(format, head, 'id');
        await print('\n');
      }
      if (format === 'table' || format === 'csv')
        return printObjectChanges(format, changedObjects(muster, record));
      await printOne(format, members, 'id');
      if (format !== 'name' && total > objects.length)
        printStatus(
          `Showing the first ${String(objects.length)} of ${String(total)} objects: use -o csv to show all.`,
        );
    });
}

/** All changed objects: a record contains only the first of them. */
async function* changedObjects(
  muster: Muster,
  { members, objects, total }: ChangeRecord,
): AsyncGenerator<Row> {
  if (objects.length === total) yield* objects;
  else {
    const path = { id: String(members['id']) };
    for await (const object of muster.items('/v1/changes/{id}/objects', { path })) yield asObject(object);
  }
}
