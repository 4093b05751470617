import { parseWhere } from '@muster/api-types';
import { tryParseJson } from '../api/exact-json';
import { usageError } from '../cli-error';

/** A leg of a path, as the service reads it. Those who forget the operator may forget the quotes of a key with a hyphen, too. */
const LEG = String.raw`(?:[\p{ID_Start}_][\p{ID_Continue}-]*|"(?:[^"\\]|\\.)*"|\*)(?:\[(?:\d+|\*)\])?`;
/** A path without an operator, which is no condition. An operator needs no blank before it: `tags[0]exists`. */
const PATH = new RegExp(`^\\s*${LEG}(?:\\.${LEG})*\\s*$`, 'su');
const OPERATOR = /^(?:[=!<>^~]+|in|exists|missing)$/;

/**
 * The condition that is meant by `--where kernel '<' 6.12`, of which only `kernel` is the value of the option.
 * @param values the values of the option
 * @param words the arguments of the command
 * @returns two conditions if the value may be a number or a text; none if all values are conditions
 */
export function quotedConditions(values: readonly string[], words: readonly string[]): string[] {
  const path = values.find((value) => PATH.test(value));
  const start = words.findIndex((word) => OPERATOR.test(word));
  if (path === undefined || start < 0) return [];
  // Another condition may follow.
  const end = words.findIndex((word, i) => i > start && OPERATOR.test(word));
  return withJsonValue([path.trim(), ...words.slice(start, end < 0 ? undefined : end)].join(' '));
}

/** @throws CliError if a value of `--where` has no operator: shells take an unquoted `<` or `>` as a redirection */
export function assertConditions(values: readonly string[]): void {
  const path = values.find((value) => PATH.test(value))?.trim();
  if (path === undefined) return;
  throw usageError(
    `--where ${path} has no operator. Quote the whole condition, or the shell takes < and > as redirections: --where '${path} < "6.12"', or --where '${path} exists'.`,
  );
}

/** A condition whose value is JSON. Shells have removed the quotes of a text. */
function withJsonValue(condition: string): string[] {
  const { operator, value = '' } = parseWhere(condition) ?? {};
  if (operator === undefined || operator === 'in' || value.startsWith('"')) return [condition];
  const text = condition.slice(0, -value.length) + JSON.stringify(value);
  const comparesTexts = operator === '^=' || operator === '~=';
  return comparesTexts || tryParseJson(value) === undefined ? [text] : [condition, text];
}
