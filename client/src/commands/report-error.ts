import { ApiError, type ApiErrorDetail, NetworkError } from '@muster/api-types';
import {
  AdvisedApiError,
  approvalError,
  CliError,
  EXIT,
  exitCodeFor,
  reasonError,
  reasonErrorOf,
  type ExitCode,
} from '../cli-error';
import { networkHints } from './network-hints';
import { coloursFor, printError } from '../output/console';
import type { Settings } from '../settings/settings';

/** An error as it is printed, and its exit code. */
interface ErrorReport {
  readonly message: string;
  readonly lines?: readonly string[];
  readonly exitCode: ExitCode;
}

/**
 * Prints the error that ended a command.
 * @param settings of the session, if it was opened
 * @param isProposable whether the command could propose its write instead
 * @returns the exit code
 */
export function reportError(error: unknown, settings?: Settings, isProposable = false): ExitCode {
  const { message, lines = [], exitCode } = describeError(error, settings, isProposable);
  printError(coloursFor(process.stderr).red('muster:'), message, lines);
  return exitCode;
}

function describeError(error: unknown, settings: Settings | undefined, isProposable: boolean): ErrorReport {
  if (error instanceof CliError) return error;
  if (error instanceof ApiError) {
    const { message, lines = [], exitCode } = describeApiError(error, settings);
    const hints = isProposable && lacksRole(error) ? [PROPOSE_HINT] : [];
    const advice = error instanceof AdvisedApiError ? error.advice : [];
    return { message, lines: [...hints, ...lines, ...advice], exitCode };
  }
  if (error instanceof NetworkError)
    return {
      message: error.message,
      lines: settings ? connectionHints(error, settings) : [],
      exitCode: EXIT.unavailable,
    };
  if (settings && error instanceof SyntaxError)
    return {
      message: `The server at ${settings.connection.url} is not Muster: ${error.message}.`,
      lines: [sourceLine('URL', settings.sources.url), ...stackTrace(error)],
      exitCode: EXIT.unavailable,
    };
  return {
    message: error instanceof Error ? error.message : String(error),
    lines: [
      '  This is a bug in muster. Please report it with the output of MUSTER_DEBUG=1.',
      ...stackTrace(error),
    ],
    exitCode: EXIT.internalError,
  };
}

const PROPOSE_HINT = '  Propose it with --propose "<title>": that needs no role.';

/** Whether another role allows the request. To propose what only admins can write, a user has to be an admin, too. */
const lacksRole = ({ code, details }: ApiError): boolean =>
  code === 'forbidden' &&
  details.some(({ code: why, role }) => why === 'missing_role' && role !== undefined && !KINDS.has(role));

/** Kinds of users, where errors name roles. */
const KINDS: ReadonlySet<string> = new Set(['admin', 'root']);

const MAX_DETAILS = 20;

function describeApiError(apiError: ApiError, settings: Settings | undefined): ErrorReport {
  return (
    describeReasonError(apiError) ??
    describeApprovalError(apiError) ??
    describeOtherApiError(apiError, settings)
  );
}

/** The service names its parameter and header, which users of this program never see. */
function describeApprovalError(apiError: ApiError): ErrorReport | undefined {
  const { code, details, requestId } = apiError;
  if (code !== 'approval_required') return undefined;
  return approvalError(
    details.map(({ message }) => message),
    requestId === undefined ? [] : [`  request id: ${requestId}`],
  );
}

/** The service names the header of the reason, which users of this program never see: they set it with `--reason`. */
function describeReasonError(apiError: ApiError): ErrorReport | undefined {
  const message = reasonErrorOf(apiError);
  if (message === undefined) return undefined;
  const { requestId } = apiError;
  return reasonError(message, requestId === undefined ? [] : [`  request id: ${requestId}`]);
}

function describeOtherApiError(apiError: ApiError, settings: Settings | undefined): ErrorReport {
  const { status, requestId } = apiError;
  // The message of the service is about headers, which users of this program never see.
  const isUnknown = status === 401 && requestId !== undefined && settings !== undefined;
  const message = isUnknown ? unknownKeyMessage(settings) : messageWithOptions(apiError);
  // The message often contains the details.
  const lowerMessage = message.toLowerCase();
  const isSaid = ({ field, message: text }: ApiErrorDetail): boolean =>
    text === message ||
    [detailText({ field, message: text }), `${field} ${text}`].some((one) =>
      lowerMessage.includes(one.toLowerCase()),
    ) ||
    // A message names a field once, and then all that is wrong with it.
    (lowerMessage.startsWith(`${field}: `.toLowerCase()) && lowerMessage.includes(`; ${text}`.toLowerCase()));
  // An id belongs to the resource that the message names.
  const more = apiError.details.filter((detail) => detail.field !== 'id' && !isSaid(detail)).map(detailText);
  return {
    message,
    lines: [
      ...more.slice(0, MAX_DETAILS).map((detail) => `  ${detail}`),
      ...(more.length > MAX_DETAILS ? [`  … and ${String(more.length - MAX_DETAILS)} more`] : []),
      ...(requestId === undefined ? [] : [`  request id: ${requestId}`]),
      ...(status === 401 && settings ? describeCredentials(settings) : []),
      ...(requestId === undefined && settings ? [sourceLine('URL', settings.sources.url)] : []),
    ],
    exitCode: exitCodeFor(apiError),
  };
}

/** Parameters of the API that users of this program only know as options. */
const OPTIONS = new Set(['vars', 'where', 'at', 'since', 'until', 'ip', 'uuid']);

/** Names options instead of parameters, also in the message, and the forms of times that this program reads. */
const detailText = ({ field, message }: ApiErrorDetail): string =>
  `${OPTIONS.has(field) ? '--' : ''}${field}: ${message
    .replace(/(?<=(?:, but|: this is a condition of|as a) )where\b/, '--where')
    .replace(/(?<=^must be a time such as .*)$/, `; or relative to now: yesterday, or '2h ago' in quotes`)
    .replace(/\brepeat the parameter: (\w+)=([^&]+)&\1=(.+)$/, 'repeat the option: --$1 $2 --$1 $3')}`;

/** The message of the service, in which each detail about an option names the option. */
const messageWithOptions = ({ message, details }: ApiError): string =>
  details.reduce(
    (text, detail) => text.replace(`${detail.field}: ${detail.message}`, () => detailText(detail)),
    message,
  );

/** The sources of the credentials. Their values are not shown: one of them is secret. */
function describeCredentials({ connection, sources, login }: Settings): string[] {
  return [
    sourceLine(login ? 'access token' : 'API key', sources.token),
    ...(connection.user === undefined ? [] : [sourceLine('user', sources.user)]),
    ...(connection.project === undefined ? [] : [sourceLine('project', sources.project)]),
    login ? '  Log in again with "muster login --oidc".' : otherKeyHint(sources.token),
  ];
}

/** The service does not say which of the credentials is wrong. */
function unknownKeyMessage({ connection: { url, user, project }, login }: Settings): string {
  const owners = [
    ...(user === undefined ? [] : [`of the user ${JSON.stringify(user)}`]),
    ...(project === undefined ? [] : [`for the project ${project}`]),
  ];
  const unknown = login
    ? `The access token is not valid at ${url}, or it has expired`
    : `The API key is unknown at ${url}, expired or revoked`;
  return owners.length === 0 ? `${unknown}.` : `${unknown}; or it is not ${owners.join(', or not ')}.`;
}

/** How to use another key. Flags and environment variables override a profile. */
function otherKeyHint(source: string): string {
  if (source.startsWith('--')) return `  Use another key with ${source}.`;
  if (source === 'MUSTER_TOKEN_FILE')
    return '  Write another key to the file in MUSTER_TOKEN_FILE, or unset it and save a key with "muster login".';
  return source === 'MUSTER_TOKEN'
    ? '  Set MUSTER_TOKEN to another key, or unset it and save a key with "muster login".'
    : '  Save another key with "muster login".';
}

const sourceLine = (setting: string, source: string): string => `  The ${setting} comes from ${source}.`;

const LOOPBACK = /^https?:\/\/(?:localhost|127\.|\[::1\])/;

function connectionHints(error: NetworkError, { connection, sources }: Settings): string[] {
  const code = errorCodes(error).at(-1) ?? '';
  const isStopped = code === 'ECONNREFUSED' && LOOPBACK.test(connection.url);
  return [
    sourceLine('URL', sources.url),
    ...networkHints(code),
    ...(isStopped ? ['  Is Muster running? "npm start" in its folder starts it.'] : []),
  ];
}

/** The codes of an error and its causes. */
function errorCodes(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return ['code' in error ? [String(error.code)] : [], errorCodes(error.cause)].flat();
}

/** The stack trace, if MUSTER_DEBUG is set. */
function stackTrace(error: unknown): string[] {
  const { MUSTER_DEBUG = '' } = process.env;
  return MUSTER_DEBUG !== '' && error instanceof Error && error.stack !== undefined ? [error.stack] : [];
}
