/** The keys of a document, as JSON strings with their quotes, and their values, as JSON texts. */
export type DocumentMembers = ReadonlyMap<string, string>;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Splits a `jsonb` object, as PostgreSQL prints it, into its members without parsing values. So numbers keep all digits,
 * and large documents are processed fast. PostgreSQL prints `{"key": value, "key": value}` with distinct keys and
 * canonical escapes, so equal keys have equal texts. Other texts are not supported, and not detected.
 */
export const membersOf = (document: string): DocumentMembers => splitMembers(document, 2);

/** Like `membersOf`, for the result of `row_to_json`, which prints no spaces between the members. */
export const membersOfRow = (row: string): DocumentMembers => splitMembers(row, 1);

/** @param gap the length of what separates a key from its value, and a value from the next key */
function splitMembers(document: string, gap: 1 | 2): DocumentMembers {
  const members = new Map<string, string>();
  const end = document.length - 1;
  let at = 1;
  while (at < end) {
    const keyEnd = stringEnd(document, at);
    const valueStart = keyEnd + gap;
    const valueEnd = endOfValue(document, valueStart, end);
    members.set(document.slice(at, keyEnd), document.slice(valueStart, valueEnd));
    at = valueEnd + gap;
  }
  return members;
}

/** Builds a document from its members. */
export function documentOf(members: Iterable<readonly [string, string]>): string {
  let text = '';
  for (const [key, value] of members) text += text === '' ? `${key}: ${value}` : `, ${key}: ${value}`;
  return `{${text}}`;
}

function endOfValue(text: string, start: number, end: number): number {
  let depth = 0;
  for (let at = start; at < end; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = stringEnd(text, at) - 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth++;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        break;
      case COMMA:
        if (depth === 0) return at;
    }
  }
  return end;
}

/** A value as JSON text, which must not be parsed: its numbers keep all digits. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Appends members, each a key with its value, to the text of a JSON object. */
export function appendMembers(body: string, members: readonly string[]): string {
  if (members.length === 0) return body;
  return body === '{}' ? `{${members.join(',')}}` : `${body.slice(0, -1)},${members.join(',')}}`;
}

/**
 * The index after a string in a valid JSON text. A regular expression could overflow the stack on long strings.
 * @param begin the index of the opening quote
 */
function stringEnd(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Brackets, commas and quotes. Brackets and commas within strings are skipped. */
const TOKENS = /["[\]{},]/g;

/** The elements of a JSON array, as JSON texts. The text must be a valid JSON array. */
export function splitJsonArray(text: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  TOKENS.lastIndex = 0;
  for (let match = TOKENS.exec(text); match; match = TOKENS.exec(text)) {
    const { 0: token, index } = match;
    if (token === '"') TOKENS.lastIndex = stringEnd(text, index);
    else if (token === '[' || token === '{') {
      if (depth++ === 0) start = index + 1;
    } else if (token === ']' || token === '}') {
      if (--depth === 0) elements.push(text.slice(start, index));
    } else if (token === ',' && depth === 1) {
      elements.push(text.slice(start, index));
      start = index + 1;
    }
  }
  // An empty array yields one blank element.
  return elements.length === 1 && elements[0]?.trim() === '' ? [] : elements;
}

/**
 * The members of a JSON object, as JSON texts by their names. The text must be a valid JSON object. Of a repeated name, the
 * last one counts, as for `JSON.parse`.
 */
export function splitJsonObject(text: string): ReadonlyMap<string, string> {
  // The function splits at the commas of the outermost brackets, which can also be those of an object.
  const members = splitJsonArray(text).map((member): [string, string] => {
    const start = member.indexOf('"');
    const end = stringEnd(member, start);
    return [JSON.parse(member.slice(start, end)) as string, member.slice(member.indexOf(':', end) + 1)];
  });
  return new Map(members);
}

/** Quotes, and letters that can begin an exponent. */
const QUOTES_AND_EXPONENTS = /["eE]/g;

/**
 * How many digits a JSON text can gain when the database prints its numbers: it prints `1e1000` as a one and a thousand
 * zeros. So a few bytes of a request could become many megabytes of every response.
 * @param text valid JSON
 */
export function exponentDigits(text: string): number {
  // Few texts have a number with an exponent, or a string that looks so.
  if (!/\d[eE]/.test(text)) return 0;
  let digits = 0;
  let at = 0;
  for (;;) {
    QUOTES_AND_EXPONENTS.lastIndex = at;
    const match = QUOTES_AND_EXPONENTS.exec(text);
    if (!match) return digits;
    if (match[0] === '"') at = stringEnd(text, match.index);
    else {
      const begin = match.index + (/[+-]/.test(text.charAt(match.index + 1)) ? 2 : 1);
      at = endOfDigits(text, begin);
      digits += Number(text.slice(begin, at));
    }
  }
}

/** The end of the digits at `begin`. The letter e of `true` and `false` is followed by none. */
function endOfDigits(text: string, begin: number): number {
  let end = begin;
  while (/\d/.test(text.charAt(end))) end++;
  return end;
}

/**
 * The maximum nesting of arrays and objects in a body or in a line of an import. Values of variables, and schemas, may
 * have 64 levels, and are themselves nested a few levels deep.
 */
export const MAX_JSON_DEPTH = 100;

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Whether arrays and objects in a value are nested deeper than `levels`. Not recursive, because a value can be nested a
 * million levels deep.
 */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let level = isNested(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === levels) return true;
    level = level.flatMap((one) => Object.values(one).filter(isNested));
  }
  return false;
}

/**
 * The same check for a JSON text before it is parsed, because parsing megabytes of brackets takes seconds. It stops at
 * the first bracket that is nested too deeply. The text need not be valid JSON.
 */
export function isTextDeeperThan(levels: number, text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++)
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = stringEnd(text, at) - 1;
        break;
      case OPEN_BRACKET:
      case OPEN_BRACE:
        if (++depth > levels) return true;
        break;
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth = Math.max(0, depth - 1);
        break;
    }
  return false;
}
