import type { Readable, Writable } from 'node:stream';

/** What a command is told, and speaks to: that of a process of its own, or what stands in for it. */
export interface Terminal {
  /** Where settings are read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: Readable & { readonly isTTY?: boolean };
  /** For what programs read. */
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** For what people read. */
  readonly errors: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Asked for by a command that leaves nothing half done: from then on, an interruption is told by this alone. */
  interruption(): AbortSignal;
}
