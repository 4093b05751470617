import { asObject, plainNumber } from '../api/exact-json';
import type { Row } from '../output/output';

/** What a dry run tells of devices. */
export interface Impact {
  /** How many get another resolved value. */
  readonly devices: number;
  /** Of which variables. */
  readonly keys: readonly string[];
  /** A page of them. */
  readonly items: readonly Row[];
}

/** A variable that a device would resolve to something else: undefined where it is not set. */
export interface Alteration {
  readonly kind: string;
  readonly name: string;
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Reads the impact in an answer. */
export function impactOf(answer: unknown): Impact {
  const { devices, keys, items } = asObject(answer);
  return {
    devices: plainNumber(devices),
    keys: keys as string[],
    items: (items as unknown[]).map(asObject),
  };
}

/** What would become of devices, one variable after the other. */
export const alterationsOf = (items: readonly Row[]): Alteration[] =>
  items.flatMap(({ kind, name, changes }) =>
    Object.entries(asObject(changes)).map(([key, sides]) => {
      const { before, after } = asObject(sides) as { before?: unknown; after?: unknown };
      return { kind: String(kind), name: String(name), key, before, after };
    }),
  );
