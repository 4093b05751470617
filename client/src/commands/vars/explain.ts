import { Command } from 'commander';
import { calledName } from '../../lookup/resource-finder';
import { EXIT, Failure, usage } from '../../cli-error';
import { asObject } from '../../api/exact-json';
import { type Format, printList, printOne, type Row, shownValue } from '../../output/formats';
import { openSession } from '../session';
import { parseKey } from './assignments';
import { findTarget, withTarget, type TargetOptions } from './target';

interface ExplainOptions extends TargetOptions {
  readonly at?: string;
}

/** `muster vars explain` */
export function explainCommand(): Command {
  return withTarget(new Command('explain'), ({ inherits }) => inherits)
    .description(
      'Tells where values come from: every level that sets them, broadest first, with who and why.',
    )
    .argument('[keys...]', 'which; without, all that it resolves')
    .option('--at <time>', 'as of this moment, in UTC; for named keys')
    .addHelpText('after', '\nThe level that wins is marked with *; the others are hidden by it.')
    .action(
      async (kind: string, name: string, given: string[], options: ExplainOptions, command: Command) => {
        const keys = given.map(parseKey);
        if (options.at !== undefined && keys.length === 0) throw usage('--at needs to know which keys.');
        const session = openSession(command);
        const target = await findTarget(session, kind, name, options);
        const { body } = await session.muster.request(
          'get',
          `/v1/${target.resource.collection}/{id}/variables/explain`,
          { path: { id: target.id }, query: { key: keys, at: options.at } },
        );
        const explained = asObject(asObject(body)['variables']);
        const missing = keys.filter((key) => !Object.hasOwn(explained, key));
        if (missing.length > 0)
          throw new Failure(`No level sets ${missing.join(', ')} for ${calledName(target)}.`, EXIT.notFound);
        await printExplained(session.format, explained);
      },
    );
}

async function printExplained(format: Format, explained: Row): Promise<void> {
  if (format === 'json' || format === 'yaml' || format === 'terraform')
    await printOne(format, explained, { names: Object.keys(explained), name: 'key' });
  else
    await printList(format, levelsOf(format, explained), {
      names: ['key', 'wins', 'level', 'value', 'set_by', 'set_at', 'reason'],
      name: 'level',
    });
}

async function* levelsOf(format: Format, explained: Row): AsyncGenerator<Row> {
  for (const [key, explanation] of Object.entries(explained)) {
    const levels = (asObject(explanation)['levels'] as unknown[]).map(asObject);
    for (const [i, { kind, name, value, shadowed, ...rest }] of levels.entries())
      yield await Promise.resolve({
        ...rest,
        // For the eye: a key stands above its levels.
        key: format === 'table' && i > 0 ? '' : key,
        wins: shadowed === true ? '' : '*',
        level: `${String(kind)} ${String(name)}`,
        value: shownValue(format, value),
      });
  }
}
