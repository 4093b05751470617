/**
 * Splits `jsonb` objects, as PostgreSQL prints them, without parsing values. So numbers keep all digits, and large
 * documents are processed fast. PostgreSQL prints `{"key": value, "key": value}` with distinct keys and canonical
 * escapes, so equal keys have equal texts.
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

/** Splits a document into its members. The text must come from PostgreSQL, because it is not validated. */
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

/** Builds a document from its members. */
export function documentOf(members: Iterable<readonly [string, string]>): string {
  let text = '';
  for (const [key, value] of members) text += text === '' ? `${key}: ${value}` : `, ${key}: ${value}`;
  return `{${text}}`;
}

/** The index after the closing quote of the string that begins at `start`. */
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

/** Appends members, each a key with its value, to the text of a JSON object. */
export function appendMembers(body: string, members: readonly string[]): string {
  if (members.length === 0) return body;
  return body === '{}' ? `{${members.join(',')}}` : `${body.slice(0, -1)},${members.join(',')}}`;
}
