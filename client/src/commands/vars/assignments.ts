import { exactJson, jsonType, withArticle, type JsonType } from '../../api/exact-json';
import { CliError, EXIT, usageError } from '../../cli-error';

/** A key and its new value. Numbers are `LosslessNumber`s, which keep every digit. */
interface Assignment {
  readonly key: string;
  readonly value: unknown;
}

/** The service's syntax of keys: Unicode identifiers with hyphens. */
const KEY = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;

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
  if (value !== undefined) throw ambiguousError(key, jsonType(value));
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
  if (KEY.test(key)) return key;
  throw usageError(
    `Invalid key ${JSON.stringify(key)}: use letters, digits, _ and -; the first character must be a letter or _.`,
  );
}

/** @returns undefined if the text is not JSON */
function tryParseJson(text: string): unknown {
  try {
    return exactJson.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Shells remove quotes, so a text was probably meant. The value is not shown, because it may be a secret. */
const notJsonError = (key: string): CliError =>
  new CliError(`The value of ${key} is not JSON.`, EXIT.usageError, [
    `  a text:         ${key}='some text'`,
    `  a JSON string:  ${key}:='"some text"'`,
  ]);

/** The value is not shown, because it may be a secret. */
function ambiguousError(key: string, type: JsonType): CliError {
  const isString = type === 'text';
  const hasQuotes = type === 'array' || type === 'object';
  return new CliError(
    `The value of ${key} is JSON (${isString ? 'a string' : withArticle(type)}), but = sets a text. Use := for both:`,
    EXIT.usageError,
    isString
      ? [
          `  the text without the quotes:  ${key}:='"VALUE"'`,
          `  the text with the quotes:     ${key}:='"\\"VALUE\\""'`,
        ]
      : [
          `  the JSON value:  ${key}:='VALUE'`,
          `  the text:        ${key}:='"VALUE"'${hasQuotes ? ' with \\" for each " in it' : ''}`,
        ],
  );
}
