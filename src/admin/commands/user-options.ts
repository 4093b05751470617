/** What the commands about the users of a project take. */
export interface ProjectOptions {
  readonly project: string;
  readonly reason?: string;
  readonly json?: true;
}

/** The option of whatever writes. */
export const REASON = ['--reason <text>', 'why; it stands in the change record'] as const;
