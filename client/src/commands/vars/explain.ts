import { Command } from 'commander';
import { asObject } from '../../api/exact-json';
import type { Muster, RequestOptions } from '../../api/muster';
import { CliError, EXIT, usageError } from '../../cli-error';
import { readOptional } from '../../api/optional-read';
import { openSession } from '../session';
import { addTarget, findTarget, parseKey, similarKeyLines, type TargetOptions } from './arguments';
import { displayName } from '../../lookup/resource-finder';
import { displayValue, printList, printOne, type OutputFormat } from '../../output/formats';
import type { Row } from '../../output/rows';
import { parseTimeOption, TIME_HELP } from '../shared-options';

interface ExplainOptions extends TargetOptions {
  readonly at?: string;
}

/** `muster vars explain` */
export function explainCommand(): Command {
  return addTarget(new Command('explain'), { mustInherit: true })
    .description(
      'Shows which levels set a value, from the broadest to the narrowest, with author and reason.',
    )
    .argument('[keys...]', 'the keys; by default all resolved ones')
    .option('--at <time>', `the values at this time; requires keys: ${TIME_HELP}`, parseTimeOption)
    .addHelpText('after', '\nThe level whose value is resolved is marked with *. It overrides the others.')
    .action(
      async (kind: string, name: string, texts: string[], options: ExplainOptions, command: Command) => {
        const keys = texts.map(parseKey);
        if (options.at !== undefined && keys.length === 0) throw usageError('--at requires keys.');
        const session = openSession(command);
        const target = await findTarget(session, kind, name, options);
        const variables = `/v1/${target.resource.collection}/{id}/variables`;
        const read = async (muster: Muster, path: string, query: RequestOptions['query']): Promise<Row> => {
          const { body } = await muster.request('get', path, { path: { id: target.id }, query });
          return asObject(asObject(body)['variables']);
        };
        const explained = await read(session.muster, `${variables}/explain`, { key: keys, at: options.at });
        const missing = keys.filter((key) => !Object.hasOwn(explained, key));
        if (missing.length > 0) {
          const query = { 'resolved-values': true, at: options.at };
          const known = await readOptional(session.muster, (muster) => read(muster, variables, query));
          throw new CliError(
            `No level sets ${missing.join(', ')} for ${displayName(target)}.`,
            EXIT.notFound,
            similarKeyLines(missing, Object.keys(known ?? {})),
          );
        }
        await printExplained(session.format, explained);
      },
    );
}

async function printExplained(format: OutputFormat, explained: Row): Promise<void> {
  if (format === 'json' || format === 'yaml' || format === 'terraform')
    await printOne(format, explained, 'key');
  else
    await printList(format, levelRows(format, explained), {
      names: ['key', 'wins', 'level', 'value', 'set_by', 'set_at', 'reason'],
      name: 'level',
      wraps: true,
    });
}

function* levelRows(format: OutputFormat, explained: Row): Generator<Row> {
  for (const [key, explanation] of Object.entries(explained)) {
    const levels = (asObject(explanation)['levels'] as unknown[]).map(asObject);
    for (const [i, { kind, name, value, shadowed, ...rest }] of levels.entries())
      yield {
        ...rest,
        // A table shows each key once, above its levels.
        key: format === 'table' && i > 0 ? '' : key,
        wins: shadowed === true ? '' : '*',
        level: `${String(kind)} ${String(name)}`,
        value: displayValue(format, value),
      };
  }
}
