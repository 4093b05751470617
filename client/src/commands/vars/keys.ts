import { Command } from 'commander';
import { asObject } from '../../api/exact-json';
import { printList, type Row } from '../../output/formats';
import { firstOf, limitOption } from '../limit-option';
import { openSession } from '../session';
import { resolvedFrom } from './target';

interface KeysOptions {
  readonly counts: boolean;
  readonly limit: number;
}

/** `muster vars keys` */
export function keysCommand(): Command {
  return new Command('keys')
    .description('Lists the keys in use: how many of each kind set them, and how many devices resolve them.')
    .argument('[key]', 'a key, or the beginning of several followed by *, in quotes')
    .option('--no-counts', 'the keys alone: counting millions takes its time')
    .addOption(limitOption())
    .action(async (key: string | undefined, options: KeysOptions, command: Command) => {
      const { muster, project, format } = openSession(command);
      const names = options.counts
        ? ['key', ...resolvedFrom.map(({ collection }) => collection), 'resolved_by']
        : ['key'];
      const query = { key, project_id: project, fields: names };
      await printList(format, firstOf(rowsOf(muster.items('/v1/variable-keys', { query })), options.limit), {
        names,
        name: 'key',
      });
    });
}

async function* rowsOf(items: AsyncIterable<unknown>): AsyncGenerator<Row> {
  for await (const item of items) yield asObject(item);
}
