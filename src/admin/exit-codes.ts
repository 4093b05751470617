import type { Terminal } from './terminal';

/** The exit codes. `pending` and `unknown` are for `migrate --status`. */
export const EXIT = { done: 0, failed: 1, pending: 3, unknown: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * Runs the work of a command. The work is loaded on demand, so that `--help` does not load the database code.
 */
export type CommandAction = (work: (terminal: Terminal) => Promise<ExitCode>) => Promise<void>;
