import { Command } from 'commander';
import { calledName } from '../../lookup/resource-finder';
import { EXIT, Failure } from '../../cli-error';
import { asObject, exactJson, isLosslessNumber } from '../../api/exact-json';
import { type Format, printList, printOne, type Row, shownValue } from '../../output/formats';
import { escaped, print, visibleLines } from '../../output/console';
import { openSession } from '../session';
import { parseKey } from './assignments';
import { findTarget, withTarget, type TargetOptions } from './target';

interface GetOptions extends TargetOptions {
  readonly own?: true;
  readonly at?: string;
}

/** `muster vars get` */
export function getCommand(): Command {
  return withTarget(new Command('get'))
    .description(
      'Shows variables as they are resolved: all, or those of some keys; of one key the bare value.',
    )
    .argument('[keys...]', 'which; without, all')
    .option('--own', 'only what is set there itself, not what is inherited')
    .option('--at <time>', 'as of this moment, in UTC: 2026-11-20T14:37:06')
    .action(async (kind: string, name: string, keys: string[], options: GetOptions, command: Command) => {
      const wanted = [...new Set(keys.map(parseKey))];
      const session = openSession(command);
      const target = await findTarget(session, kind, name, options);
      const { body } = await session.muster.request(
        'get',
        `/v1/${target.resource.collection}/{id}/variables`,
        { path: { id: target.id }, query: { 'resolved-values': !options.own, at: options.at } },
      );
      const variables = asObject(asObject(body)['variables']);
      const [only = '', ...others] = wanted;
      if (wanted.length === 0) {
        await printAll(session.format, variables);
        return;
      }
      const missing = wanted.filter((key) => !Object.hasOwn(variables, key));
      if (others.length > 0) {
        const there = wanted.filter((key) => !missing.includes(key)).map((key) => [key, variables[key]]);
        await printAll(session.format, Object.fromEntries(there) as Row);
      } else if (missing.length === 0) await printSingle(session.format, only, variables[only]);
      if (missing.length > 0)
        throw new Failure(
          `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set ${options.own ? `on ${calledName(target)} itself` : `for ${calledName(target)}`}.`,
          EXIT.notFound,
        );
    });
}

async function printAll(format: Format, variables: Row): Promise<void> {
  const keys = Object.keys(variables);
  if (format === 'table' || format === 'csv' || format === 'name')
    await printList(format, rowsOf(format, variables), { names: ['key', 'value'], name: 'key' });
  else await printOne(format, variables, { names: keys, name: 'key' });
}

async function printSingle(format: Format, key: string, value: unknown): Promise<void> {
  if (format === 'table') await print(`${bareText(value)}\n`);
  else if (format === 'json') await print(`${escaped(exactJson.stringify(value, 2))}\n`);
  else if (format === 'yaml') {
    const { yamlOf } = await import('../../output/yaml.js');
    await print(yamlOf(value));
  } else await printAll(format, Object.fromEntries([[key, value]]));
}

async function* rowsOf(format: Format, variables: Row): AsyncGenerator<Row> {
  for (const [key, value] of Object.entries(variables))
    yield await Promise.resolve({ key, value: shownValue(format, value) });
}

/** A value by itself: a text without quotes, for scripts; anything else as JSON. A terminal finds nothing to obey in it. */
function bareText(value: unknown): string {
  if (typeof value === 'string') return process.stdout.isTTY ? visibleLines(value) : value;
  return escaped(exactJson.stringify(value, isLosslessNumber(value) ? undefined : 2));
}
