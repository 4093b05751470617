import { Command } from 'commander';
import { exactJson, isLosslessNumber, asObject } from '../../api/exact-json';
import { usageError } from '../../cli-error';
import {
  addConfirmationOptions,
  writeWithConfirmation,
  type ConfirmationOptions,
  type VariablesWrite,
} from '../confirmed-write';
import { openSession, type Session } from '../session';
import { addTarget, findTarget, type TargetOptions, parseAssignments, parseKey } from './arguments';
import { displayFileName, readTextFile, START } from '../../files/file-access';
import { jsonSyntaxError } from '../../files/json-items';
import { parseYaml } from '../../files/yaml-items';
import type { YamlVersion } from '../../files/yaml-scalars';
import { yamlOption } from '../shared-options';
import { displayName, type FoundResource } from '../../lookup/resource-finder';
import { printStatus } from '../../output/console';
import type { Row } from '../../output/rows';
import { findClosest } from '../../text';

interface SetOptions extends TargetOptions, ConfirmationOptions {
  readonly fromFile?: string;
  readonly yaml?: YamlVersion;
  readonly onlyIfNew?: true;
}

const EXAMPLES = `
Examples:
  muster vars set host web-1 kernel=6.12.4 http_port:=8443 'ntp_servers:=["10.1.0.1"]'
  muster vars set cell north/rack-a power_feed=B --dry-run
  muster vars set region north --from-file north.yaml --reason "CHG-1042: a second site"`;

type Variables = Readonly<Record<string, unknown>>;

/** `muster vars set` */
export function setCommand(): Command {
  return addConfirmationOptions(addTarget(new Command('set')))
    .description('Sets variables: key=text with a literal text, or key:=json with a JSON value.')
    .argument('[assignments...]', 'key=text or key:=json')
    .option('--from-file <file>', 'also set the variables in this JSON or YAML file; - for standard input')
    .addOption(yamlOption())
    .option('--only-if-new', 'only if the variable is not set on the resource yet; for a single variable')
    .addHelpText('after', EXAMPLES)
    .action(
      async (kind: string, name: string, assignments: string[], options: SetOptions, command: Command) => {
        const assigned = parseAssignments(assignments);
        if (options.yaml !== undefined && options.fromFile === undefined)
          throw usageError('--yaml is only for --from-file.');
        const session = openSession(command);
        const fromFile =
          options.fromFile === undefined ? {} : await readVariables(options.fromFile, options.yaml);
        // Unlike spread syntax, this copies even `__proto__`.
        const variables = Object.fromEntries([...Object.entries(fromFile), ...Object.entries(assigned)]);
        if (Object.keys(variables).length === 0)
          throw usageError('Nothing to set: use key=text, key:=json or --from-file.');
        const target = await findTarget(session, kind, name, options);
        const write = options.onlyIfNew ? createOnly(variables) : writeAll(variables);
        const keys = Object.keys(variables);
        const on = `on ${displayName(target)}`;
        const messages = {
          keys,
          doneText: (set: string) => `Set ${set} ${on}`,
          intentText: (set: string) => `set ${set} ${on}`,
          unchangedText: `${keys.join(', ')} already ${keys.length === 1 ? 'has this value' : 'have these values'} ${on}`,
        };
        await writeWithConfirmation(session, target, { ...write, ...messages }, options);
      },
    );
}

type Request = Pick<VariablesWrite, 'method' | 'subpath' | 'body' | 'precondition'>;

function writeAll(variables: Variables): Request {
  const isPair =
    Object.keys(variables).length === 2 && 'value' in variables && typeof variables['key'] === 'string';
  // The API would read variables named `key` and `value` as a single assignment.
  return isPair
    ? { method: 'put', subpath: '', body: { variables } }
    : { method: 'put', subpath: '/variables', body: variables };
}

function createOnly(variables: Variables): Request {
  const [[key, value] = ['', undefined], another] = Object.entries(variables);
  if (another) throw usageError('--only-if-new is for a single variable.');
  const subpath = `/variables/${encodeURIComponent(key)}`;
  return { method: 'put', subpath, body: { value }, precondition: { 'if-none-match': '*' } };
}

/**
 * Reads variables from a JSON or YAML file that contains an object.
 * @param file `-` for standard input
 * @throws CliError if it cannot be read, or contains something else
 */
async function readVariables(file: string, version: YamlVersion | undefined): Promise<Variables> {
  const value = await parseVariablesFile(await readTextFile(file), file, version);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isLosslessNumber(value))
    throw usageError(`${displayFileName(file)} must contain an object of keys and values.`);
  for (const key of Object.keys(value)) parseKey(key);
  return Object.fromEntries(Object.entries(value));
}

/** Parses JSON, or else YAML. */
async function parseVariablesFile(
  text: string,
  file: string,
  version: YamlVersion | undefined,
): Promise<unknown> {
  try {
    return exactJson.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (file.endsWith('.json') || /^\s*[{[]/.test(text))
      throw jsonSyntaxError(text, error, displayFileName(file), START);
    return parseYaml(text, displayFileName(file), version);
  }
}

/** `muster vars unset` */
export function unsetCommand(): Command {
  return addConfirmationOptions(addTarget(new Command('unset')))
    .description('Removes variables from a resource. Inherited values take effect again.')
    .argument('<keys...>', 'the keys')
    .action(
      async (
        kind: string,
        name: string,
        texts: string[],
        options: TargetOptions & ConfirmationOptions,
        command: Command,
      ) => {
        const keys = texts.map(parseKey);
        const session = openSession(command);
        const target = await findTarget(session, kind, name, options);
        const targetName = displayName(target);
        const own = await ownVariables(session, target);
        const missing = keys.filter((key) => !Object.hasOwn(own, key));
        const known = Object.keys(own);
        const notSet = (someKeys: readonly string[]): string =>
          `${someKeys.map((key) => withSimilarKey(key, known)).join(', ')} ${someKeys.length === 1 ? 'is' : 'are'} not set on ${targetName} itself`;
        if (missing.length > 0 && missing.length < keys.length) printStatus(`${notSet(missing)}.`);
        const set = keys.filter((key) => !missing.includes(key));
        const write = {
          method: 'delete' as const,
          subpath: '/variables',
          body: keys,
          keys: set,
          doneText: (removed: string) =>
            set.length === 0 ? `Nothing to do: ${notSet(keys)}` : `Removed ${removed} from ${targetName}`,
          intentText: (removed: string) => `remove ${removed} from ${targetName}`,
          unchangedText: notSet(keys),
        };
        await writeWithConfirmation(session, target, write, options);
      },
    );
}

/** A key that is not set, and the one that may be meant: `kernl (did you mean kernel?)`. */
function withSimilarKey(key: string, known: readonly string[]): string {
  const closest = findClosest(key, known);
  return closest === undefined ? key : `${key} (did you mean ${closest}?)`;
}

/** The variables that are set on the resource itself. */
async function ownVariables({ muster }: Session, { resource, id }: FoundResource): Promise<Row> {
  const { body } = await muster.request('get', `/v1/${resource.collection}/{id}/variables`, {
    path: { id },
    query: { 'resolved-values': false },
  });
  return asObject(asObject(body)['variables']);
}
