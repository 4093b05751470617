import { isScalar } from '../api/exact-json';

/** A variable, or a part of its value, in the syntax of filters: `rack.row`, `disks[0].size`, `rack."u-height"`. */
export interface VariablePath {
  /** As it was written. */
  readonly text: string;
  readonly key: string;
  /** The members and positions that lead to the part. */
  readonly steps: readonly (string | number)[];
}

const KEY = /^[\p{ID_Start}_][\p{ID_Continue}-]*/u;
const STEP = /^(?:\[(?<position>\d{1,9})\]|\.(?:"(?<quoted>[^"\\]+)"|(?<member>[^."[\]\s]+)))/;

/** @returns undefined if the text is neither a key nor a path */
export function parseVariablePath(text: string): VariablePath | undefined {
  const [key] = KEY.exec(text) ?? [];
  if (key === undefined) return undefined;
  const steps: (string | number)[] = [];
  let rest = text.slice(key.length);
  while (rest !== '') {
    const match = STEP.exec(rest);
    if (!match) return undefined;
    const { position, quoted, member } = match.groups ?? {};
    steps.push(position === undefined ? (quoted ?? member ?? '') : Number(position));
    rest = rest.slice(match[0].length);
  }
  return { text, key, steps };
}

/** The part of a value; undefined if the value has no such part. */
export function partOf(
  value: unknown,
  steps: VariablePath['steps'],
): { readonly value: unknown } | undefined {
  let part = value;
  for (const step of steps) {
    if (isScalar(part) || typeof part !== 'object' || part === null) return undefined;
    // A position is no member: `rack[0]` is not `rack."0"`.
    if (Array.isArray(part) !== (typeof step === 'number')) return undefined;
    if (!Object.hasOwn(part, step)) return undefined;
    part = new Map<string, unknown>(Object.entries(part)).get(String(step));
  }
  return { value: part };
}
