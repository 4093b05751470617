import { EXIT, Failure, usage } from '../../cli-error';
import { exactJson } from '../../api/exact-json';

/** A variable and what it is to be. Numbers are `LosslessNumber`s, which keep every digit. */
interface Assignment {
  readonly key: string;
  readonly value: unknown;
}

/** As the service has it: an identifier of Unicode, with hyphens. */
const KEY = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;

/**
 * Reads `key=value`, whose value is JSON, or `key:=text`, which takes the text as it is.
 * @throws Failure with both spellings where the value is no JSON
 */
export function parseAssignment(given: string): Assignment {
  const at = given.indexOf('=');
  if (at < 0) throw usage(`${JSON.stringify(given)} sets nothing: say key=value, or key:=text.`);
  const isText = given[at - 1] === ':';
  const key = parseKey(given.slice(0, isText ? at - 1 : at));
  const text = given.slice(at + 1);
  return { key, value: isText ? text : jsonOf(key, text) };
}

/**
 * Several of them as one object, whose keys are its own whatever they are called.
 * @throws Failure where one is wrong, or a key comes twice
 */
export function parseAssignments(given: readonly string[]): Readonly<Record<string, unknown>> {
  const assignments = given.map(parseAssignment);
  const keys = assignments.map(({ key }) => key);
  const twice = keys.find((key, i) => keys.indexOf(key) !== i);
  if (twice !== undefined) throw usage(`${twice} is given twice.`);
  return variablesOf(assignments);
}

/** An object of variables. */
const variablesOf = (assignments: readonly Assignment[]): Readonly<Record<string, unknown>> =>
  // Unlike an assignment, this makes a member even of `__proto__`.
  Object.fromEntries(assignments.map(({ key, value }) => [key, value]));

/** A key as it is given. @throws Failure where it cannot be one */
export function parseKey(key: string): string {
  if (KEY.test(key)) return key;
  throw usage(
    `${JSON.stringify(key)} is no key: letters, digits, _ and -, not beginning with a digit or a hyphen.`,
  );
}

function jsonOf(key: string, text: string): unknown {
  try {
    return exactJson.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw notJson(key);
    throw error;
  }
}

/** Shells take quotes away: what was meant is nearly always a text. The value is not repeated, it may be a secret. */
const notJson = (key: string): Failure =>
  new Failure(`The value of ${key} is no JSON.`, EXIT.usage, [
    `  a text as it is:  ${key}:=some text`,
    `  a JSON string:    ${key}='"some text"'`,
  ]);
