import { parse } from 'lossless-json';
import { usageError, type CliError } from '../cli-error';
import { decodeUtf8, fileError, positionAt, type Position } from './file-access';

const [TAB, LINE_FEED, RETURN, SPACE, QUOTE, COMMA] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c];
const [OPEN_ARRAY, BACKSLASH, CLOSE_ARRAY, OPEN, CLOSE] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d];

/** What may come next outside of an item. */
type Expectation = 'anything' | 'item or end' | 'item' | 'comma or end' | 'object' | 'nothing';

/**
 * Reads the objects of a JSON array, or a sequence of objects, and returns each as a line of JSON. Numbers keep every digit.
 * Memory holds one object at a time.
 * @param maxItemBytes the maximum size of an object in the file
 * @throws CliError for invalid JSON, with the position
 */
export async function* readJsonItems(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
  maxItemBytes: number,
): AsyncGenerator<string[]> {
  const scanner = new Scanner(file, maxItemBytes);
  for await (const chunk of bytes) yield scanner.push(Buffer.from(chunk));
  scanner.end();
}

/** Finds where items start and end. Their contents are checked by a parser. */
class Scanner {
  private expected: Expectation = 'anything';
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  private line = 1;
  private column = 1;
  private isFirst = true;
  /** The part of an item in earlier chunks, and the position where the item starts. */
  private parts: Buffer[] = [];
  private length = 0;
  private itemStart: Position = { line: 1, column: 1 };

  constructor(
    private readonly file: string,
    private readonly maxItemBytes: number,
  ) {}

  push(bytes: Buffer): string[] {
    const chunk = this.isFirst ? withoutByteOrderMark(bytes) : bytes;
    this.isFirst = this.isFirst && chunk.length === 0;
    const items: string[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.depth > 0) {
        this.scanInside(byte);
        if (this.depth === 0) items.push(this.finishItem(chunk.subarray(start, at + 1)));
      } else if (this.scanOutside(byte)) start = at;
      this.advance(byte);
    }
    if (this.depth > 0) this.buffer(chunk.subarray(start));
    return items;
  }

  end(): void {
    if (this.depth > 0)
      throw fileError(this.file, this.itemStart, 'the file is truncated: this item does not end.');
    if (this.expected === 'nothing' || this.expected === 'object') return;
    if (this.expected === 'anything') throw usageError(`${this.file} is empty.`);
    throw this.error('the file is truncated: the array does not end.');
  }

  private scanInside(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (this.inString) {
      if (byte === BACKSLASH) this.isEscaped = true;
      else if (byte === QUOTE) this.inString = false;
    } else if (byte === QUOTE) this.inString = true;
    else if (byte === OPEN || byte === OPEN_ARRAY) this.depth++;
    else if (byte === CLOSE || byte === CLOSE_ARRAY) this.depth--;
  }

  /** @returns whether an item starts */
  private scanOutside(byte: number): boolean {
    if (byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB) return false;
    const { expected } = this;
    if (byte === OPEN && expected !== 'comma or end' && expected !== 'nothing') {
      this.depth = 1;
      this.itemStart = { line: this.line, column: this.column };
      this.expected = expected === 'anything' || expected === 'object' ? 'object' : 'comma or end';
      return true;
    }
    if (byte === OPEN_ARRAY && expected === 'anything') this.expected = 'item or end';
    else if (byte === CLOSE_ARRAY && (expected === 'item or end' || expected === 'comma or end'))
      this.expected = 'nothing';
    else if (byte === COMMA && expected === 'comma or end') this.expected = 'item';
    else throw this.error(EXPECTATION_MESSAGES[expected]);
    return false;
  }

  private advance(byte: number): void {
    if (byte === LINE_FEED) {
      this.line++;
      this.column = 1;
    } else if ((byte & 0xc0) !== 0x80) this.column++;
  }

  private buffer(part: Buffer): void {
    this.length += part.length;
    if (this.length > this.maxItemBytes)
      throw fileError(this.file, this.itemStart, 'this item is larger than the largest resource.');
    this.parts.push(part);
  }

  private finishItem(rest: Buffer): string {
    const bytes = this.parts.length === 0 ? rest : Buffer.concat([...this.parts, rest]);
    this.parts = [];
    this.length = 0;
    const text = decodeUtf8(bytes, this.file, this.itemStart);
    assertJsonObject(text, this.file, this.itemStart);
    // Strings of valid JSON contain no line breaks.
    return text.replaceAll(/[\r\n]+/g, ' ');
  }

  private error(message: string): CliError {
    return fileError(this.file, { line: this.line, column: this.column }, message);
  }
}

const EXPECTATION_MESSAGES: Readonly<Record<Expectation, string>> = {
  anything: 'expected an array of JSON objects.',
  'item or end': 'expected a JSON object or the end of the array.',
  item: 'expected a JSON object.',
  'comma or end': 'expected a comma or the end of the array.',
  object: 'expected a JSON object.',
  nothing: 'unexpected text after the array.',
};

const withoutByteOrderMark = (chunk: Buffer): Buffer =>
  chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk;

/** @param at the position of the text in the file @throws CliError if the text is not one JSON object */
function assertJsonObject(text: string, file: string, at: Position): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw jsonSyntaxError(text, error, file, at);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fileError(file, at, 'expected a JSON object.');
}

/** The error for invalid JSON, with its position in the file. @param error the error of `JSON.parse` */
export function jsonSyntaxError(text: string, error: SyntaxError, file: string, at: Position): CliError {
  // The error of JSON.parse does not always contain the position.
  let message = error.message;
  try {
    parse(text);
  } catch (exactError) {
    if (!(exactError instanceof SyntaxError)) throw exactError;
    message = exactError.message;
  }
  const offset = Number(/ at position (\d+)/.exec(message)?.[1] ?? 0);
  const description = message.replace(/ at position \d+.*$/s, '');
  return fileError(file, positionAt(text, offset, at), `invalid JSON: ${description}.`);
}
