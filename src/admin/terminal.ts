import type { Writable } from 'node:stream';

/** What a command is told, and speaks to: that of a process of its own, or what stands in for it. */
export interface Terminal {
  /** Where settings are read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For what programs read. */
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** For what people read. */
  readonly errors: Writable & { readonly isTTY?: boolean; readonly columns?: number };
}
