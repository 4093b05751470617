import { Refusal, Unreachable, type RefusalDetail } from '../api/errors';
import { EXIT, exitCodeOf, Failure, type ExitCode } from '../cli-error';
import { coloursOf, sayFault } from '../output/console';
import type { Settings } from '../settings/settings';

/** What is said on standard error, and how the program ends. */
interface Told {
  readonly message: string;
  readonly lines?: readonly string[];
  readonly exitCode: ExitCode;
}

/**
 * Says what has stopped a command.
 * @param settings those that it asked with, if it came to that
 * @returns the exit code for it
 */
export function tell(error: unknown, settings?: Settings): ExitCode {
  const { message, lines = [], exitCode } = toldOf(error, settings);
  sayFault(coloursOf(process.stderr).red('muster:'), message, lines);
  return exitCode;
}

function toldOf(error: unknown, settings: Settings | undefined): Told {
  if (error instanceof Failure) return error;
  if (error instanceof Refusal) return refused(error, settings);
  if (error instanceof Unreachable)
    return {
      message: error.message,
      lines: settings ? whyUnreachable(error, settings) : [],
      exitCode: EXIT.unreachable,
    };
  if (settings && error instanceof SyntaxError)
    return {
      message: `What answers at ${settings.connection.url} is no Muster: ${error.message}.`,
      lines: [from('URL', settings.origins.url), ...debugging(error)],
      exitCode: EXIT.unreachable,
    };
  return {
    message: error instanceof Error ? error.message : String(error),
    lines: [
      '  That is a fault of the program. Please report it to who maintains it, with what MUSTER_DEBUG=1 shows.',
      ...debugging(error),
    ],
    exitCode: EXIT.fault,
  };
}

/** So many details are told at most. */
const MOST = 20;

function refused(refusal: Refusal, settings: Settings | undefined): Told {
  const { status, requestId } = refusal;
  // The service speaks of headers, which nobody has seen who uses this program.
  const isUnknown = status === 401 && requestId !== undefined && settings !== undefined;
  const message = isUnknown ? unknownKey(settings) : refusal.message;
  // Often the message is made of the details.
  const said = message.toLowerCase();
  const more = refusal.details
    .filter(({ field, message: text }) =>
      [textOf({ field, message: text }), `${field} ${text}`].every(
        (one) => !said.includes(one.toLowerCase()),
      ),
    )
    .map(textOf);
  return {
    message,
    lines: [
      ...more.slice(0, MOST).map((detail) => `  ${detail}`),
      ...(more.length > MOST ? [`  … and ${String(more.length - MOST)} more`] : []),
      ...(requestId === undefined ? [] : [`  request id: ${requestId}`]),
      ...(status === 401 && settings ? whoAsked(settings) : []),
      ...(requestId === undefined && settings ? [from('URL', settings.origins.url)] : []),
    ],
    exitCode: exitCodeOf(refusal),
  };
}

const textOf = ({ field, message }: RefusalDetail): string => `${field}: ${message}`;

/** Which of the settings it may be, and never what they are: one of them is secret. */
function whoAsked({ connection, origins }: Settings): string[] {
  return [
    from('API key', origins.token),
    ...(connection.user === undefined ? [] : [from('user', origins.user)]),
    ...(connection.project === undefined ? [] : [from('project', origins.project)]),
    otherKey(origins.token),
  ];
}

/** The service does not tell which of them is wrong. */
function unknownKey({ connection: { url, user, project } }: Settings): string {
  const of = [
    ...(user === undefined ? [] : [`of the user ${JSON.stringify(user)}`]),
    ...(project === undefined ? [] : [`for the project ${project}`]),
  ];
  const known = `The API key is not known at ${url}, or does not work any more`;
  return of.length === 0 ? `${known}.` : `${known}; or it is not ${of.join(', or not ')}.`;
}

/** How to ask with another one. What is nearer than a profile would go before what "muster login" keeps. */
function otherKey(origin: string): string {
  if (origin.startsWith('--')) return `  Give another one with ${origin}.`;
  return origin === 'MUSTER_TOKEN'
    ? '  Set MUSTER_TOKEN to another one; or unset it, and keep one with "muster login".'
    : '  "muster login" keeps another one.';
}

const from = (setting: string, origin: string): string => `  The ${setting} comes from ${origin}.`;

const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?)$/;
const NO_TLS = /^(?:EPROTO|ERR_SSL_)/;
const LOOPBACK = /^https?:\/\/(?:localhost|127\.|\[::1\])/;

function whyUnreachable(error: Unreachable, { connection, origins }: Settings): string[] {
  const code = codesOf(error).at(-1) ?? '';
  const lines = [from('URL', origins.url)];
  if (UNTRUSTED.test(code))
    lines.push(
      '  Its certificate is of nobody whom this machine trusts. If it is your own authority, say so:',
      '  NODE_EXTRA_CA_CERTS=/path/to/authority.pem muster …',
    );
  else if (NO_TLS.test(code)) lines.push('  It does not speak TLS there: is it http:// instead of https://?');
  else if (code === 'ECONNREFUSED' && LOOPBACK.test(connection.url))
    lines.push('  Is Muster started? In its folder, "npm start" does it.');
  return lines;
}

/** The codes of an error and of what has caused it. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return ['code' in error ? [String(error.code)] : [], codesOf(error.cause)].flat();
}

/** For who looks for the fault: where it was. */
function debugging(error: unknown): string[] {
  const { MUSTER_DEBUG = '' } = process.env;
  return MUSTER_DEBUG !== '' && error instanceof Error && error.stack !== undefined ? [error.stack] : [];
}
