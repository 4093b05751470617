import { stringEnd } from './json-elements';

/**
 * How deep arrays and objects may be nested in a body or in a line of an import: values of variables, and schemas, may
 * have 64 levels, and stand a few levels deep themselves.
 */
export const MAX_JSON_DEPTH = 100;

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Whether more than `levels` arrays and objects stand within each other in a value.
 * Walks without recursion: the text may be nested a million levels deep.
 */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let level = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === levels) return true;
    level = level.flatMap((one) => Object.values(one).filter(isNested));
  }
  return false;
}

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * The same of a JSON text, before it is parsed: to parse and walk megabytes of brackets takes seconds. One pass, which
 * ends at the first bracket that is too deep. The text need not be valid JSON.
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
