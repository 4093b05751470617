import type { Terminal } from './terminal';

/** The exit codes; `pending` and `unknown` are those of `migrate --status`. */
export const EXIT = { done: 0, failed: 1, pending: 3, unknown: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * Does the work of the command that was named. It is loaded only then: what helps somebody with the command line has no
 * need of a database.
 */
export type CommandAction = (work: (terminal: Terminal) => Promise<ExitCode>) => Promise<void>;
