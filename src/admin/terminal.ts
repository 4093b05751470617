import type { Writable } from 'node:stream';

/** The environment and the output streams of a command. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For output that programs read. */
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** For messages to people. */
  readonly errors: Writable & { readonly isTTY?: boolean; readonly columns?: number };
}

/** The exit codes. `pending` and `unknown` are for `migrate --status`. */
export const EXIT = { done: 0, failed: 1, pending: 3, unknown: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Runs the work of a command, and sets the exit code of the program. */
export type CommandAction = (work: (terminal: Terminal) => Promise<ExitCode>) => Promise<void>;
