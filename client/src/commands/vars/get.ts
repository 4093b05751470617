import { Command } from 'commander';
import { asObject, exactJson, isLosslessNumber } from '../../api/exact-json';
import { CliError, EXIT } from '../../cli-error';
import { openSession } from '../session';
import { addTarget, findTarget, parseKey, similarKeyLines, type TargetOptions } from './arguments';
import { displayName } from '../../lookup/resource-finder';
import { escapeControlInJson, escapeControlInLines, print } from '../../output/console';
import { displayValue, printList, printOne, type OutputFormat } from '../../output/formats';
import type { Row } from '../../output/rows';
import { parseTimeOption, TIME_HELP } from '../shared-options';

interface GetOptions extends TargetOptions {
  readonly own?: true;
  readonly at?: string;
}

/** `muster vars get` */
export function getCommand(): Command {
  return addTarget(new Command('get'))
    .description(
      'Shows resolved variables: all, or the given keys. For a single key it prints the value only.',
    )
    .argument('[keys...]', 'the keys; by default all')
    .option('--own', 'only variables set on the resource itself, without inherited ones')
    .option('--at <time>', `the values at this time: ${TIME_HELP}`, parseTimeOption)
    .action(async (kind: string, name: string, texts: string[], options: GetOptions, command: Command) => {
      const keys = [...new Set(texts.map(parseKey))];
      const session = openSession(command);
      const target = await findTarget(session, kind, name, options);
      const { body } = await session.muster.request(
        'get',
        `/v1/${target.resource.collection}/{id}/variables`,
        { path: { id: target.id }, query: { 'resolved-values': !options.own, at: options.at } },
      );
      const variables = asObject(asObject(body)['variables']);
      const [only = '', ...others] = keys;
      if (keys.length === 0) {
        await printAll(session.format, sorted(variables));
        return;
      }
      const missing = keys.filter((key) => !Object.hasOwn(variables, key));
      if (others.length > 0) {
        const found = keys.filter((key) => !missing.includes(key)).map((key) => [key, variables[key]]);
        await printAll(session.format, Object.fromEntries(found) as Row);
      } else if (missing.length === 0) await printSingle(session.format, only, variables[only]);
      if (missing.length > 0)
        throw new CliError(
          `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set ${options.own ? `on ${displayName(target)} itself` : `for ${displayName(target)}`}.`,
          EXIT.notFound,
          similarKeyLines(missing, Object.keys(variables)),
        );
    });
}

/** By their keys, so that the variables of two resources can be compared line by line. */
const sorted = (variables: Row): Row =>
  Object.fromEntries(Object.entries(variables).sort(([one], [other]) => (one < other ? -1 : 1)));

async function printAll(format: OutputFormat, variables: Row): Promise<void> {
  if (format === 'table' || format === 'csv' || format === 'name')
    await printList(format, variableRows(format, variables), { names: ['key', 'value'], name: 'key' });
  else await printOne(format, variables, 'key');
}

async function printSingle(format: OutputFormat, key: string, value: unknown): Promise<void> {
  if (format === 'table') await print(`${rawText(value)}\n`);
  else if (format === 'json') await print(`${escapeControlInJson(exactJson.stringify(value, 2))}\n`);
  else if (format === 'yaml') {
    const { toYaml } = await import('../../output/yaml.js');
    await print(toYaml(value));
  } else await printAll(format, Object.fromEntries([[key, value]]));
}

const variableRows = (format: OutputFormat, variables: Row): Row[] =>
  Object.entries(variables).map(([key, value]) => ({ key, value: displayValue(format, value) }));

/** A value for scripts: a string without quotes, any other value as JSON. Control characters are escaped on a terminal. */
function rawText(value: unknown): string {
  if (typeof value === 'string') return process.stdout.isTTY ? escapeControlInLines(value) : value;
  return escapeControlInJson(exactJson.stringify(value, isLosslessNumber(value) ? undefined : 2));
}
