import { Command, Option } from 'commander';
import { asObject } from '../../api/exact-json';
import { limitOption, takeFirst } from '../shared-options';
import { openSession, type Session } from '../session';
import { levelKinds } from './arguments';
import { printIfUnknownKey } from '../../lookup/unknown-key';
import { printList, displayValue, type OutputFormat } from '../../output/formats';
import type { Row } from '../../output/rows';

interface KeysOptions {
  readonly counts: boolean;
  readonly limit: number;
}

/** `muster vars keys` */
export function keysCommand(): Command {
  return new Command('keys')
    .description(
      'Lists the keys in use, with the number of resources that set them and of devices that resolve them.',
    )
    .argument('[key]', 'a key, or a prefix followed by *, in quotes')
    .option('--no-counts', 'only the keys: counting takes long in a large inventory')
    .addOption(limitOption())
    .action(async (key: string | undefined, options: KeysOptions, command: Command) => {
      const session = openSession(command);
      const { muster, project, format } = session;
      const names = options.counts
        ? ['key', ...levelKinds.map(({ collection }) => collection), 'resolved_by']
        : ['key'];
      const query = { key, project_id: project, fields: names };
      const count = await printList(
        format,
        takeFirst(keyRows(muster.items('/v1/variable-keys', { query })), options.limit),
        { names, name: 'key' },
      );
      if (count === 0 && key !== undefined) await explainNoKey(session, key);
    });
}

async function* keyRows(items: AsyncIterable<unknown>): AsyncGenerator<Row> {
  for await (const item of items) yield asObject(item);
}

interface WhereOptions {
  readonly kind?: string;
  readonly limit: number;
}

/** `muster vars where` */
export function whereCommand(): Command {
  return new Command('where')
    .description('Lists every resource that sets a variable, with author, time and reason.')
    .argument('<key>', 'a key, or a prefix followed by *, in quotes')
    .addOption(
      new Option('--kind <kind>', 'only resources of this kind').choices(levelKinds.map(({ kind }) => kind)),
    )
    .addOption(limitOption())
    .action(async (key: string, options: WhereOptions, command: Command) => {
      const session = openSession(command);
      const { muster, project, format } = session;
      const query = { key, kind: options.kind, project_id: project };
      const count = await printList(
        format,
        takeFirst(definitionRows(format, muster.items('/v1/variables', { query })), options.limit),
        { names: ['key', 'kind', 'name', 'id', 'value', 'set_by', 'set_at', 'reason'], name: 'name' },
      );
      if (count === 0) await explainNoKey(session, key);
    });
}

/** Prints that a key is unknown. A prefix that no key has needs no explanation. */
const explainNoKey = async (session: Session, key: string): Promise<void> => {
  if (!key.endsWith('*')) await printIfUnknownKey(session, key);
};

async function* definitionRows(
  format: OutputFormat,
  definitions: AsyncIterable<unknown>,
): AsyncGenerator<Row> {
  for await (const definition of definitions) {
    const members = asObject(definition);
    yield { ...members, value: displayValue(format, members['value']) };
  }
}
