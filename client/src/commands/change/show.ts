import { Command } from 'commander';
import type { Muster } from '../../api/muster';
import { asObject } from '../../api/exact-json';
import { printOne, type Row } from '../../output/formats';
import { print, say } from '../../output/console';
import { openSession } from '../session';
import { type ChangeRecord, headOf, parseChange, printAltered, recordOf } from './change-record';

/** `muster change show` */
export function showChange(): Command {
  return new Command('show')
    .description('Shows a change: what it touched, member by member, before and after.')
    .argument('<id>', 'its id, as "muster change list" shows it')
    .action(async (given: string, _, running: Command) => {
      const id = parseChange(given);
      const { muster, format } = openSession(running);
      const record = recordOf((await muster.request('get', '/v1/changes/{id}', { path: { id } })).body);
      const { members, objects, total } = record;
      if (format === 'table') {
        const head = { ...headOf(record), request_id: members['request_id'], touched: total };
        await printOne(format, head, { names: Object.keys(head), name: 'id' });
        await print('\n');
      }
      if (format === 'table' || format === 'csv') return printAltered(format, touchedBy(muster, record));
      await printOne(format, members, { names: Object.keys(members), name: 'id' });
      if (format !== 'name' && total > objects.length)
        say(`These are the first ${String(objects.length)} of ${String(total)} objects: -o csv shows all.`);
    });
}

/** All that it touched: a record by itself shows the first of it. */
async function* touchedBy(muster: Muster, { members, objects, total }: ChangeRecord): AsyncGenerator<Row> {
  if (objects.length === total) yield* objects;
  else {
    const path = { id: String(members['id']) };
    for await (const object of muster.items('/v1/changes/{id}/objects', { path })) yield asObject(object);
  }
}
