import { Argument, type Command } from 'commander';
import { resources } from '../../api/resources';
import { CliError, EXIT, usageError } from '../../cli-error';
import { commandLine, commandUsage, fullCommandName } from '../command-suggestions';
import { isVariableKey } from '../import/variable-keys';
import type { Session } from '../session';
import { describeKinds, displayKind, type FoundResource } from '../../lookup/resource-finder';
import { didYouMean, findClosest, maskAssignment } from '../../text';
import { jsonType, tryParseJson, withArticle, type JsonType } from '../../api/exact-json';

/** The options that identify a resource, besides its kind and name. */
export interface TargetOptions {
  readonly region?: string;
}

/** The kinds whose variables devices resolve, including devices themselves. */
export const levelKinds = resources.filter(
  ({ carriesVariables, kind }) => carriesVariables && kind !== 'user',
);

/** Adds the arguments and the option that identify a resource. @param mustInherit whether the command is only for what inherits variables */
export const addTarget = (command: Command, { mustInherit = false } = {}): Command =>
  command
    .addArgument(kindArgument(command, mustInherit))
    .argument('<name>', 'the UUID, id or name of the resource; for a cell also REGION/CELL')
    .option('--region <region>', 'the region of the resource, if its name is not unique');

/** The kind, in the singular or the plural. */
function kindArgument(command: Command, mustInherit: boolean): Argument {
  const kinds = selectKinds(mustInherit);
  // The choices are for completion; the parser prints a better message than commander.
  return new Argument('<kind>', 'the kind of the resource').choices(kinds).argParser((text: string) => {
    const kind = singularOf(text);
    if (kinds.includes(kind)) return kind;
    const { reason, advice } = explainInvalidKind(command, text, kinds);
    throw new CliError(
      `Invalid kind ${JSON.stringify(maskAssignment(text))} in "${commandLine(fullCommandName(command), command.args)}"${reason}`,
      EXIT.usageError,
      [...advice, `usage: ${commandUsage(command)}`, `kinds: ${kinds.join(', ')}`].map((line) => `  ${line}`),
    );
  });
}

/** The kind of a word that may be its plural. */
export const singularOf = (kind: string): string =>
  kind === 'devices' ? 'device' : (resources.find(({ collection }) => collection === kind)?.kind ?? kind);

/** Why a kind is invalid, as the end of a sentence, and a command line that is right. */
function explainInvalidKind(command: Command, text: string, kinds: readonly string[]) {
  const [, ...words] = command.args;
  const example = (...right: string[]) => [`for example: ${commandLine(fullCommandName(command), right)}`];
  const resource = resources.find(({ kind }) => kind === singularOf(text));
  if (resource) {
    const plural = resource.collection.replaceAll('-', ' ');
    if (!resource.carriesVariables) return { reason: `: ${plural} have no variables.`, advice: [] };
    const get = commandLine('muster vars get', command.args);
    return { reason: `: ${plural} inherit no variables.`, advice: [`"${get}" shows their own.`] };
  }
  const closest = findClosest(text, kinds);
  if (closest !== undefined)
    return { reason: `. Did you mean ${closest}?`, advice: example(closest, ...words) };
  const [second = '', ...others] = words;
  const right = kinds.includes(singularOf(second)) ? [second, text, ...others] : ['host', text, ...words];
  return { reason: '. The kind comes before the name.', advice: example(...right) };
}

function selectKinds(mustInherit: boolean): string[] {
  const selected = resources.filter((one) => one.carriesVariables && (one.inherits || !mustInherit));
  return [
    ...selected.map(({ kind }) => kind),
    ...(selected.some(({ isDevice }) => isDevice) ? ['device'] : []),
  ];
}

/** Finds the resource. @throws CliError if there is none, or several */
export async function findTarget(
  { finder }: Session,
  kind: string,
  identifier: string,
  { region }: TargetOptions,
): Promise<FoundResource> {
  if (region === undefined) {
    const found = await finder.find(kind, identifier);
    // Messages use REGION/CELL if the user does.
    return identifier.endsWith(`/${found.name}`) ? { ...found, name: identifier } : found;
  }
  if (!describeKinds(kind).every(({ filters }) => filters.some(({ name }) => name === 'region_id')))
    throw usageError(`--region cannot be used with a ${displayKind(kind)}.`);
  return finder.find(kind, identifier, { region_id: (await finder.find('region', region)).id });
}

/** A key and its new value. Numbers are `LosslessNumber`s, which keep every digit. */
interface Assignment {
  readonly key: string;
  readonly value: unknown;
}

/**
 * Parses `key=text`, where the value is a literal text, or `key:=json`, where it is JSON.
 * @throws CliError with both spellings if the value is not JSON, or if it is JSON and the user may expect a JSON value
 */
export function parseAssignment(assignment: string): Assignment {
  const at = assignment.indexOf('=');
  if (at < 0)
    throw usageError(`${JSON.stringify(assignment)} is not an assignment: use key=text or key:=json.`);
  const isJson = assignment[at - 1] === ':';
  const key = parseKey(assignment.slice(0, isJson ? at - 1 : at));
  const text = assignment.slice(at + 1);
  const value = tryParseJson(text);
  if (isJson) {
    if (value === undefined) throw notJsonError(key);
    return { key, value };
  }
  // It was JSON in an earlier version. A later version can accept it as a text.
  if (value !== undefined) throw ambiguousError(key, jsonType(value), text.trim());
  return { key, value: text };
}

/**
 * Parses several assignments into one object.
 * @throws CliError if one is invalid, or a key occurs twice
 */
export function parseAssignments(texts: readonly string[]): Readonly<Record<string, unknown>> {
  const assignments = texts.map(parseAssignment);
  const keys = assignments.map(({ key }) => key);
  const duplicate = keys.find((key, i) => keys.indexOf(key) !== i);
  if (duplicate !== undefined) throw usageError(`The key ${duplicate} is assigned twice.`);
  // Unlike an assignment to a member, this works even for `__proto__`.
  return Object.fromEntries(assignments.map(({ key, value }) => [key, value]));
}

/** Checks the syntax of a key. @throws CliError */
export function parseKey(key: string): string {
  if (isVariableKey(key)) return key;
  const hint = /[.[]/.test(key)
    ? ' Paths into values, such as rack.row, are for --vars, --where and "muster vars values --path" only.'
    : '';
  throw usageError(
    `Invalid key ${JSON.stringify(maskAssignment(key))}: use letters, digits, _ and -; the first character must be a letter or _.${hint}`,
  );
}

/** Lines of an error that name the similar keys of a resource: `  Did you mean kernel?`. */
export const similarKeyLines = (missing: readonly string[], known: readonly string[]): string[] =>
  missing
    .map((key) => didYouMean(key, known))
    .filter((text) => text !== '')
    .map((text) => ` ${text}`);

/** Shells remove quotes, so a text was probably meant. The value is not shown, because it may be a secret. */
const notJsonError = (key: string): CliError =>
  new CliError(`The value of ${key} is not JSON.`, EXIT.usageError, [
    `  a text:         ${key}='some text'`,
    `  a JSON string:  ${key}:='"some text"'`,
  ]);

/** A number, boolean or null is shown, to be copied. Other values are not: they are long, and may be secrets. */
function ambiguousError(key: string, type: JsonType, text: string): CliError {
  const isString = type === 'text';
  const hasQuotes = type === 'array' || type === 'object';
  const shown = isString || hasQuotes ? 'VALUE' : text;
  return new CliError(
    `The value of ${key} is JSON (${isString ? 'a string' : withArticle(type)}), but = sets a text. Use := for both:`,
    EXIT.usageError,
    isString
      ? [
          `  the text without the quotes:  ${key}:='"VALUE"'`,
          `  the text with the quotes:     ${key}:='"\\"VALUE\\""'`,
        ]
      : [
          `  the JSON value:  ${key}:='${shown}'`,
          `  the text:        ${key}:='"${shown}"'${hasQuotes ? ' with \\" for each " in it' : ''}`,
        ],
  );
}
