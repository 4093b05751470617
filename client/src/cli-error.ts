import { ApiError } from '@muster/api-types';

/** The exit codes of the program. docs/client.md lists them. */
export const EXIT = {
  success: 0,
  /** An unexpected error, here or in the service. */
  internalError: 1,
  /** The command line, a file or a setting is invalid. */
  usageError: 2,
  notFound: 3,
  /** The service rejected the request: no permission, invalid content, or a conflict. */
  rejected: 4,
  /** The service cannot be reached, or is unavailable at the moment. */
  unavailable: 5,
  /** A name matches several resources. */
  ambiguous: 6,
  /** Some of the items were processed, and others failed. */
  partial: 7,
  /** `muster diff` found differences. */
  different: 8,
  /** The exit code that shells use after Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An expected failure, with a message for the user and an exit code. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    message: string,
    readonly exitCode: ExitCode,
    /** Further lines of the message. */
    readonly lines: readonly string[] = [],
  ) {
    super(message);
  }
}

/** An error response, and what its user can do. */
export class AdvisedApiError extends ApiError {
  constructor(
    { status, code, message, details, requestId, body, isOutcomeUnknown }: ApiError,
    /** Lines that follow the message. */
    readonly advice: readonly string[],
  ) {
    super(status, code, message, details, requestId, body, isOutcomeUnknown);
  }
}

/** An error in the command line, a file or a setting. */
export const usageError = (message: string): CliError => new CliError(message, EXIT.usageError);

/** The `field` of errors about the reason of a change: the header, or the member of a proposal. */
const REASON_FIELDS = ['X-Change-Reason', 'reason'];

/** What is wrong with the reason of a change, with the pattern that it must match; undefined for any other error. */
export function reasonErrorOf({ details }: ApiError): string | undefined {
  return details.find(({ field }) => REASON_FIELDS.includes(field))?.message;
}

/**
 * Says that a write needs approval, and how to go on.
 * @param rules which rules of the project require it
 * @param more further lines
 */
export const approvalError = (rules: readonly string[], more: readonly string[] = []): CliError =>
  new CliError(
    `Nothing was written: it needs approval. ${rules.map((rule) => `The ${rule}.`).join(' ')}`,
    EXIT.rejected,
    ['  Propose it with --propose "<title>". An admin can also write it with --override "<why>".', ...more],
  );

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The project does not accept the reason. @param message that of the service */
export const reasonError = (message: string, more: readonly string[] = []): CliError =>
  new CliError(capitalized(message), EXIT.rejected, ['  Give one with --reason.', ...more]);

/** The exit code for an error response of the service. */
export function exitCodeFor({ status }: ApiError): ExitCode {
  if (status === 404) return EXIT.notFound;
  if (status === 429 || status === 502 || status === 503 || status === 504) return EXIT.unavailable;
  return status >= 500 ? EXIT.internalError : EXIT.rejected;
}
