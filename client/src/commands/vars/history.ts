import { Command } from 'commander';
import type { Found } from '../../lookup/resource-finder';
import { asObject } from '../../api/exact-json';
import { type Format, printList, type Row, shownValue } from '../../output/formats';
import { firstOf, limitOption } from '../limit-option';
import { openSession } from '../session';
import { parseKey } from './assignments';
import { findTarget, withTarget, type TargetOptions } from './target';

interface HistoryOptions extends TargetOptions {
  readonly limit: number;
}

/** `muster vars history` */
export function historyCommand(): Command {
  return withTarget(new Command('history'))
    .description('Shows how its own variables have changed, newest first: when, by whom, and why.')
    .argument('[key]', 'only this variable')
    .addOption(limitOption())
    .addHelpText(
      'after',
      '\n"muster change show ID" shows the whole of a change, and "muster change undo ID" undoes it.',
    )
    .action(
      async (
        kind: string,
        name: string,
        key: string | undefined,
        options: HistoryOptions,
        command: Command,
      ) => {
        const wanted = key === undefined ? undefined : parseKey(key);
        const session = openSession(command);
        const { format, muster } = session;
        const target = await findTarget(session, kind, name, options);
        const changes = muster.items(`/v1/${target.resource.collection}/{id}/changes`, {
          path: { id: target.id },
          query: { key: wanted, sort_dir: 'desc' },
        });
        await printList(format, firstOf(stepsOf(format, changes, target, wanted), options.limit), {
          names: ['time', 'who', 'key', 'before', 'after', 'reason', 'change_id'],
          name: 'change_id',
        });
      },
    );
}

async function* stepsOf(
  format: Format,
  changes: AsyncIterable<unknown>,
  { id, resource }: Found,
  wanted: string | undefined,
): AsyncGenerator<Row> {
  for await (const item of changes) {
    const change = asObject(item);
    const objects = (change['objects'] as unknown[]).map(asObject);
    // A record may touch many: of one resource's history, it has that resource in any case.
    const itself = objects.filter((one) => one['kind'] === resource.kind && String(one['id']) === id);
    for (const { variables } of itself)
      for (const [key, sides] of Object.entries(asObject(variables ?? {})))
        if (wanted === undefined || key === wanted) yield stepOf(format, change, key, asObject(sides));
  }
}

const stepOf = (format: Format, change: Row, key: string, { before, after }: Row): Row => ({
  change_id: change['id'],
  time: change['created_at'],
  who: asObject(change['actor'])['username'],
  reason: change['reason'],
  key,
  before: shownValue(format, before),
  after: shownValue(format, after),
});
