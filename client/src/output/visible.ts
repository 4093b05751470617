/** What a terminal obeys instead of showing it: control characters, and those that turn the direction of text. */
const OBEYED = /[\p{Cc}\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c]/gu;
/** The same but for line ends. */
const OBEYED_IN_LINES = /[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c]/gu;
/** What JSON leaves as it is although terminals obey it. */
const LEFT_BY_JSON = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c]/g;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const code = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Whether a text has what JSON leaves as it is although terminals obey it. */
export const hasLeftByJson = (text: string): boolean => text.search(LEFT_BY_JSON) >= 0;

/** A text in one line, in which a terminal finds nothing to obey: a note must not move the cursor, or rename a window. */
export const visible = (text: string): string =>
  text.replace(OBEYED, (character) => SHORT[character] ?? code(character));

/** The same, and its lines stay lines. */
export const visibleLines = (text: string): string =>
  text.replace(OBEYED_IN_LINES, (character) => SHORT[character] ?? code(character));

/** JSON in which everything is escaped that a terminal obeys: such stands within quotes alone. */
export const escaped = (document: string): string => document.replace(LEFT_BY_JSON, code);
