import { lineKinds, type LineKind } from './line-kinds';
import type { Entry } from './line-file';

/** A validated line. */
export interface Line extends Entry {
  readonly kind: LineKind;
  /** The parsed text. Numbers can have lost digits, so values are written from `text`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Parses a line that has been validated. */
export function lineOf(entry: Entry): Line {
  const body = JSON.parse(entry.text) as Record<string, unknown>;
  const kind = lineKinds.get(String(body['kind']));
  if (!kind) throw new Error(`line ${String(entry.line)} was staged without a valid kind`);
  return { ...entry, kind, body };
}

/** The name of the resource of a line. */
export const nameOf = ({ kind, body }: Line): string => String(body[kind.group.name]);
