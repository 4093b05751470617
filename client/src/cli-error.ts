import type { Refusal } from './api/errors';

/** How the program ends. docs/client.md lists them. */
export const EXIT = {
  done: 0,
  /** Something that was not foreseen, here or in the service. */
  fault: 1,
  /** The command line, a file or a setting is wrong. */
  usage: 2,
  notFound: 3,
  /** The service says no: to who asks, to what is asked, or to its moment. */
  refused: 4,
  /** Nothing answers, or it says that it cannot now. */
  unreachable: 5,
  /** Several are meant by what was given. */
  ambiguous: 6,
  /** Part of it is done. */
  partly: 7,
  /** As shells have it for what Ctrl-C ends. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Something to be expected, said in a sentence. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    message: string,
    readonly exitCode: ExitCode,
    /** Further lines that belong to it. */
    readonly lines: readonly string[] = [],
  ) {
    super(message);
  }
}

/** The command line asks for what cannot be. */
export const usage = (message: string): Failure => new Failure(message, EXIT.usage);

/** What a refusal of the service means for the program's end. */
export function exitCodeOf({ status }: Refusal): ExitCode {
  if (status === 404) return EXIT.notFound;
  if (status === 429 || status === 502 || status === 503 || status === 504) return EXIT.unreachable;
  return status >= 500 ? EXIT.fault : EXIT.refused;
}
