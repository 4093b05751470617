/**
 * Works on the text of `jsonb` objects as PostgreSQL prints them, without parsing values: a value keeps every digit,
 * and a document of 70 kB is only walked over. PostgreSQL prints an object as `{"key": value, "key": value}`, keys
 * distinct, escapes canonical; so equal keys have equal texts.
 */

/** The keys of a document, as JSON strings with their quotes, and their values, as JSON texts. */
export type DocumentMembers = ReadonlyMap<string, string>;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Splits a document into its members. The text must come from PostgreSQL: it is not checked. */
export function membersOf(document: string): DocumentMembers {
  const members = new Map<string, string>();
  const end = document.length - 1;
  let at = 1;
  while (at < end) {
    const keyEnd = stringEnd(document, at);
    const valueStart = keyEnd + 2; // past the ": " that PostgreSQL prints
    const valueEnd = endOfValue(document, valueStart, end);
    members.set(document.slice(at, keyEnd), document.slice(valueStart, valueEnd));
    at = valueEnd + 2; // past the ", "
  }
  return members;
}

/** Puts members together again. */
export function documentOf(members: Iterable<readonly [string, string]>): string {
  let text = '';
  for (const [key, value] of members) text += text === '' ? `${key}: ${value}` : `, ${key}: ${value}`;
  return `{${text}}`;
}

/** Just past the closing quote of the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) throw new Error('a document from the database ends within a string');
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
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

/** Adds members, each a key with its value, to the text of any JSON object. */
export function extended(body: string, members: readonly string[]): string {
  if (members.length === 0) return body;
  return body === '{}' ? `{${members.join(',')}}` : `${body.slice(0, -1)},${members.join(',')}}`;
}
