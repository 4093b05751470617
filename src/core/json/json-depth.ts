import { stringEnd } from './json-elements';

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
