import type { Writable } from 'node:stream';

/** The environment and the output streams of a command. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For output that programs read. */
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** For messages to people. */
  readonly errors: Writable & { readonly isTTY?: boolean; readonly columns?: number };
}
