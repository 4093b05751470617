import { Command, Option } from 'commander';
import { asObject } from '../../api/exact-json';
import { limitOption, takeFirst } from '../shared-options';
import { openSession } from '../session';
import { levelKinds } from './target';
import { displayValue, printList, type OutputFormat, type Row } from '../../output/formats';

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
      const { muster, project, format } = openSession(command);
      const query = { key, kind: options.kind, project_id: project };
      await printList(
        format,
        takeFirst(definitionRows(format, muster.items('/v1/variables', { query })), options.limit),
        { names: ['key', 'kind', 'name', 'id', 'value', 'set_by', 'set_at', 'reason'], name: 'name' },
      );
    });
}

async function* definitionRows(
  format: OutputFormat,
  definitions: AsyncIterable<unknown>,
): AsyncGenerator<Row> {
  for await (const definition of definitions) {
    const members = asObject(definition);
    yield { ...members, value: displayValue(format, members['value']) };
  }
}
