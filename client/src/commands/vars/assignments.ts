import { exactJson } from '../../api/exact-json';
import { CliError, EXIT, usageError } from '../../cli-error';

/** A key and its new value. Numbers are `LosslessNumber`s, which keep every digit. */
interface Assignment {
  readonly key: string;
  readonly value: unknown;
}

/** The service's syntax of keys: Unicode identifiers with hyphens. */
const KEY = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;

/**
 * Parses `key=value`, where the value is JSON, or `key:=text`, where it is a literal text.
 * @throws CliError with both spellings if the value is not JSON
 */
export function parseAssignment(assignment: string): Assignment {
  const at = assignment.indexOf('=');
  if (at < 0)
    throw usageError(`${JSON.stringify(assignment)} is not an assignment: use key=value or key:=text.`);
  const isText = assignment[at - 1] === ':';
  const key = parseKey(assignment.slice(0, isText ? at - 1 : at));
  const text = assignment.slice(at + 1);
  return { key, value: isText ? text : parseJson(key, text) };
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

function parseJson(key: string, text: string): unknown {
  try {
    return exactJson.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw notJsonError(key);
    throw error;
  }
}

/** Shells remove quotes, so a text was probably meant. The value is not shown, because it may be a secret. */
const notJsonError = (key: string): CliError =>
  new CliError(`The value of ${key} is not JSON.`, EXIT.usageError, [
    `  a literal text:  ${key}:=some text`,
    `  a JSON string:   ${key}='"some text"'`,
  ]);
