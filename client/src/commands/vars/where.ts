import { Command, Option } from 'commander';
import { asObject } from '../../api/exact-json';
import { type Format, printList, type Row, shownValue } from '../../output/formats';
import { firstOf, limitOption } from '../limit-option';
import { openSession } from '../session';
import { resolvedFrom } from './target';

interface WhereOptions {
  readonly kind?: string;
  readonly limit: number;
}

/** `muster vars where` */
export function whereCommand(): Command {
  return new Command('where')
    .description('Lists every place that sets a variable, with who set it there, when and why.')
    .argument('<key>', 'a key, or the beginning of several followed by *, in quotes')
    .addOption(
      new Option('--kind <kind>', 'only places of this kind').choices(resolvedFrom.map(({ kind }) => kind)),
    )
    .addOption(limitOption())
    .action(async (key: string, options: WhereOptions, command: Command) => {
      const { muster, project, format } = openSession(command);
      const query = { key, kind: options.kind, project_id: project };
      await printList(
        format,
        firstOf(placesOf(format, muster.items('/v1/variables', { query })), options.limit),
        {
          names: ['key', 'kind', 'name', 'id', 'value', 'set_by', 'set_at', 'reason'],
          name: 'name',
        },
      );
    });
}

async function* placesOf(format: Format, places: AsyncIterable<unknown>): AsyncGenerator<Row> {
  for await (const place of places) {
    const members = asObject(place);
    yield { ...members, value: shownValue(format, members['value']) };
  }
}
