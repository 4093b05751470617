import { lineKinds, type LineKind } from './line-kinds';
import type { Entry } from './line-file';

/** A line that is to be written. */
export interface Line extends Entry {
  readonly kind: LineKind;
  /** What JavaScript made of its text; its numbers may have lost digits. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Reads a line that was checked before. */
export function lineOf(entry: Entry): Line {
  const body = JSON.parse(entry.text) as Record<string, unknown>;
  const kind = lineKinds.get(String(body['kind']));
  if (!kind) throw new Error(`line ${String(entry.line)} was kept, although it is of no kind`);
  return { ...entry, kind, body };
}

/** The name of what a line is of. */
export const nameOf = ({ kind, body }: Line): string => String(body[kind.group.name]);
