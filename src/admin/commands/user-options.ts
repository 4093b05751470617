/** The options of commands for users of a project. */
export interface ProjectOptions {
  readonly project: string;
  readonly reason?: string;
  readonly json?: true;
}

/** The option of commands that write. */
export const REASON = ['--reason <text>', 'the reason in the change record'] as const;
