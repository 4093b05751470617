import { isUtf8 } from 'node:buffer';
import { parse } from 'lossless-json';
import { fileFault, positionIn, type Position } from './file-fault';

/** In bytes: what the service takes as one line. */
export const LONGEST_LINE = 4 * 1024 * 1024;

/** Bytes as text. @throws Failure where they are no UTF-8 */
export function utf8Text(bytes: Buffer, file: string, at: Position): string {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text;
  // What cannot be read has become this character; one that stood there is as good a place to look.
  const position = positionIn(text, Math.max(0, text.indexOf('\uFFFD')), at);
  throw fileFault(file, position, 'this is not UTF-8.');
}

/** Holds a text to be one JSON object. @param at where it begins @throws Failure with the place in the file */
export function requireObject(text: string, file: string, at: Position): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw brokenJson(text, error, file, at);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fileFault(file, at, 'a JSON object is expected.');
}

/** What is wrong with a text that is no JSON. @param error what JavaScript says of it */
export function brokenJson(
  text: string,
  error: SyntaxError,
  file: string,
  at: Position,
): ReturnType<typeof fileFault> {
  // JavaScript does not always tell where; this parser does.
  let message = error.message;
  try {
    parse(text);
  } catch (told) {
    if (!(told instanceof SyntaxError)) throw told;
    message = told.message;
  }
  const offset = Number(/ at position (\d+)/.exec(message)?.[1] ?? 0);
  const said = message.replace(/ at position \d+.*$/s, '');
  return fileFault(file, positionIn(text, offset, at), `this is not valid JSON: ${said}.`);
}
