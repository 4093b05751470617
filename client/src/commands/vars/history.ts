import { Command } from 'commander';
import { asObject } from '../../api/exact-json';
import { limitOption, takeFirst } from '../shared-options';
import { openSession } from '../session';
import { addTarget, findTarget, type TargetOptions, parseKey } from './arguments';
import type { FoundResource } from '../../lookup/resource-finder';
import { displayValue, printList, type OutputFormat } from '../../output/formats';
import type { Row } from '../../output/rows';

interface HistoryOptions extends TargetOptions {
  readonly limit: number;
}

/** `muster vars history` */
export function historyCommand(): Command {
  return addTarget(new Command('history'))
    .description('Shows changes of the variables set on a resource, newest first, with author and reason.')
    .argument('[key]', 'only changes of this variable')
    .addOption(limitOption())
    .addHelpText(
      'after',
      '\n"muster change show ID" shows the complete change, and "muster change revert ID" reverts it.',
    )
    .action(
      async (
        kind: string,
        name: string,
        keyText: string | undefined,
        options: HistoryOptions,
        command: Command,
      ) => {
        const key = keyText === undefined ? undefined : parseKey(keyText);
        const session = openSession(command);
        const { format, muster } = session;
        const target = await findTarget(session, kind, name, options);
        const changes = muster.items(`/v1/${target.resource.collection}/{id}/changes`, {
          path: { id: target.id },
          query: { key, sort_dir: 'desc' },
        });
        await printList(format, takeFirst(historyRows(format, changes, target, key), options.limit), {
          names: ['time', 'who', 'key', 'before', 'after', 'reason', 'change_id'],
          name: 'change_id',
        });
      },
    );
}

async function* historyRows(
  format: OutputFormat,
  changes: AsyncIterable<unknown>,
  { id, resource }: FoundResource,
  selectedKey: string | undefined,
): AsyncGenerator<Row> {
  for await (const item of changes) {
    const change = asObject(item);
    const objects = (change['objects'] as unknown[]).map(asObject);
    // A change may include other resources.
    const own = objects.filter((one) => one['kind'] === resource.kind && String(one['id']) === id);
    for (const { variables } of own)
      for (const [key, values] of Object.entries(asObject(variables ?? {})))
        if (selectedKey === undefined || key === selectedKey)
          yield historyRow(format, change, key, asObject(values));
  }
}

const historyRow = (format: OutputFormat, change: Row, key: string, { before, after }: Row): Row => ({
  change_id: change['id'],
  time: change['created_at'],
  who: asObject(change['actor'])['username'],
  reason: change['reason'],
  key,
  before: displayValue(format, before),
  after: displayValue(format, after),
});
