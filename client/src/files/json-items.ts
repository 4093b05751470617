import { usage } from '../cli-error';
import { fileFault, type Position, positionIn, utf8Text } from './file-access';
import { parse } from 'lossless-json';

const [TAB, LINE_FEED, RETURN, SPACE, QUOTE, COMMA] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c];
const [OPEN_ARRAY, BACKSLASH, CLOSE_ARRAY, OPEN, CLOSE] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d];

/** What may come next outside of an item: at the beginning, in the array, between objects without one, behind the array. */
type Expected = 'anything' | 'item or end' | 'item' | 'comma or end' | 'object' | 'nothing';

/**
 * The objects of a JSON array, or those that stand one after the other, as lines, each as it was written: numbers keep
 * every digit. One item is held in memory at a time.
 * @throws Failure for what is no JSON, with the place
 */
export async function* jsonItems(bytes: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<string[]> {
  const scanner = new Scanner(file);
  for await (const chunk of bytes) yield scanner.take(Buffer.from(chunk));
  scanner.end();
}

/** Finds where items begin and end; whether they are JSON is for a parser to say. */
class Scanner {
  private expected: Expected = 'anything';
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  private line = 1;
  private column = 1;
  private isFirst = true;
  /** The part of an item that came with earlier chunks, and where the item begins. */
  private parts: Buffer[] = [];
  private length = 0;
  private begun: Position = { line: 1, column: 1 };

  constructor(private readonly file: string) {}

  take(given: Buffer): string[] {
    const chunk = this.isFirst ? withoutMark(given) : given;
    this.isFirst = this.isFirst && chunk.length === 0;
    const items: string[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.depth > 0) {
        this.within(byte);
        if (this.depth === 0) items.push(this.item(chunk.subarray(start, at + 1)));
      } else if (this.outside(byte)) start = at;
      this.step(byte);
    }
    if (this.depth > 0) this.keep(chunk.subarray(start));
    return items;
  }

  end(): void {
    if (this.depth > 0)
      throw fileFault(this.file, this.begun, 'what begins here does not end: the file is cut off.');
    if (this.expected === 'nothing' || this.expected === 'object') return;
    if (this.expected === 'anything') throw usage(`${this.file} is empty.`);
    throw this.fault('the array does not end: the file is cut off.');
  }

  private within(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (this.inString) {
      if (byte === BACKSLASH) this.isEscaped = true;
      else if (byte === QUOTE) this.inString = false;
    } else if (byte === QUOTE) this.inString = true;
    else if (byte === OPEN || byte === OPEN_ARRAY) this.depth++;
    else if (byte === CLOSE || byte === CLOSE_ARRAY) this.depth--;
  }

  /** @returns whether an item begins */
  private outside(byte: number): boolean {
    if (byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB) return false;
    const { expected } = this;
    if (byte === OPEN && expected !== 'comma or end' && expected !== 'nothing') {
      this.depth = 1;
      this.begun = { line: this.line, column: this.column };
      this.expected = expected === 'anything' || expected === 'object' ? 'object' : 'comma or end';
      return true;
    }
    if (byte === OPEN_ARRAY && expected === 'anything') this.expected = 'item or end';
    else if (byte === CLOSE_ARRAY && (expected === 'item or end' || expected === 'comma or end'))
      this.expected = 'nothing';
    else if (byte === COMMA && expected === 'comma or end') this.expected = 'item';
    else throw this.fault(EXPECTATIONS[expected]);
    return false;
  }

  private step(byte: number): void {
    if (byte === LINE_FEED) {
      this.line++;
      this.column = 1;
    } else if ((byte & 0xc0) !== 0x80) this.column++;
  }

  private keep(part: Buffer): void {
    this.length += part.length;
    // Escapes and spaces make a longer text of the same; what is many times as long is no resource.
    if (this.length > 2 * LONGEST_LINE)
      throw fileFault(this.file, this.begun, 'what begins here is longer than any resource.');
    this.parts.push(part);
  }

  private item(rest: Buffer): string {
    const bytes = this.parts.length === 0 ? rest : Buffer.concat([...this.parts, rest]);
    this.parts = [];
    this.length = 0;
    const text = utf8Text(bytes, this.file, this.begun);
    requireObject(text, this.file, this.begun);
    // Between the tokens alone: within a string of valid JSON there are none.
    return text.replaceAll(/[\r\n]+/g, ' ');
  }

  private fault(message: string) {
    return fileFault(this.file, { line: this.line, column: this.column }, message);
  }
}

const EXPECTATIONS: Readonly<Record<Expected, string>> = {
  anything: 'an array of JSON objects is expected.',
  'item or end': 'a JSON object or the end of the array is expected.',
  item: 'a JSON object is expected.',
  'comma or end': 'a comma or the end of the array is expected.',
  object: 'a JSON object is expected.',
  nothing: 'nothing is expected behind the array.',
};

const withoutMark = (chunk: Buffer): Buffer =>
  chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk;

/** In bytes: what the service takes as one line. */
const LONGEST_LINE = 4 * 1024 * 1024;

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
