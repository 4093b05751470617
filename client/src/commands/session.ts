import type { Command } from 'commander';
import { asObject, exactJson } from '../api/exact-json';
import { Muster } from '../api/muster';
import { usageError } from '../cli-error';
import { renewedToken } from '../oidc/login-tokens';
import { isUuid, ResourceFinder } from '../lookup/resource-finder';
import { finishOnBrokenPipe, printStatus } from '../output/console';
import type { OutputFormat } from '../output/formats';
import {
  assertSingleLine,
  ENVIRONMENT_VARIABLES,
  misspellingWarnings,
  readSettings,
  type ConnectionFlags,
  type Settings,
} from '../settings/settings';

/** The options of every command. */
export interface GlobalOptions extends ConnectionFlags {
  readonly output: OutputFormat;
  /** The reason in change records. */
  readonly reason?: string;
  readonly allProjects?: true;
}

/** The options of commands that write, as far as the session depends on them. */
interface WriteOptions {
  readonly propose?: string;
  readonly override?: string;
  readonly dryRun?: true;
}

/** What a command needs to call the API and print the result. */
export interface Session {
  readonly muster: Muster;
  /** Limits lists to this project: lists of a root user contain every project. */
  readonly project: string | undefined;
  readonly finder: ResourceFinder;
  readonly format: OutputFormat;
  /** The title of the proposal that the command makes instead of writing; undefined: it writes. */
  readonly proposalTitle?: string | undefined;
}

let settings: Settings | undefined;
let isProposable = false;

/** The settings of the session, for error messages; undefined before a session is opened. */
export const currentSettings = (): Settings | undefined => settings;

/** Whether the running command could propose its write instead, for error messages. */
export const canPropose = (): boolean => isProposable;

interface SessionOptions {
  /** Whether the `note` in the body of a write is its reason without `--reason`, and not the note of a resource. */
  readonly isNoteReason?: true;
}

/** @param command the running command, which has the options @throws CliError for an invalid setting */
export function openSession(command: Command, { isNoteReason }: SessionOptions = {}): Session {
  const { output, reason, allProjects, propose, override, dryRun, ...flags } = command.optsWithGlobals<
    GlobalOptions & WriteOptions
  >();
  if (propose !== undefined && (dryRun || override !== undefined))
    throw usageError('--propose cannot be combined with --dry-run or --override: it writes nothing.');
  if (override !== undefined) assertSingleLine(override, '--override');
  if (reason !== undefined) assertSingleLine(reason, '--reason');
  // Before the settings are checked: a missing one may be misspelled.
  printStatus(...misspellingWarnings(Object.keys(process.env), ENVIRONMENT_VARIABLES));
  settings = readSettings(flags);
  isProposable = propose === undefined && command.options.some(({ long }) => long === '--propose');
  const { connection, sources, login, overridden } = settings;
  if (overridden.length > 0)
    printStatus(
      `Environment variables override the profile ${JSON.stringify(flags.profile)}: ${overridden.join(', ')}.`,
    );
  if (connection.project !== undefined && !isUuid(connection.project))
    throw usageError(
      `The project must be a UUID: ${JSON.stringify(connection.project)} (${sources.project}) is not.`,
    );
  const muster = new Muster({
    ...connection,
    ...(login ? { getToken: renewedToken(login.name, login.profile) } : {}),
    json: exactJson,
    fetch: async (url, init) => {
      if (init.method === 'GET') return fetch(url, init);
      finishOnBrokenPipe();
      const response = await fetch(url, init);
      printStatus(...readWarnings(response.headers).map((warning) => `Warning: ${warning}`));
      return response;
    },
    // Without a header, the service would take the `note` in a body as the reason.
    ...(reason === undefined && isNoteReason ? {} : { reason: reason ?? '' }),
    ...(override === undefined ? {} : { override }),
    onRetry: (cause, delay) => {
      printStatus(`${cause}; retrying in ${(delay / 1000).toFixed(1)} s`);
    },
  });
  const project = allProjects ? undefined : connection.project;
  return {
    muster,
    project,
    finder: new ResourceFinder(muster, project),
    format: output,
    proposalTitle: propose,
  };
}

/** The texts of the `Warning` headers of a response: `299 - "a text"`, separated by commas. */
export function readWarnings(headers: Headers): string[] {
  // The service sends UTF-8, and `fetch` reads each byte as one character.
  const header = Buffer.from(headers.get('warning') ?? '', 'latin1').toString('utf8');
  return [...header.matchAll(/\b299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replace(/\\(.)/g, '$1'),
  );
}

/** The id of the project that imports write and exports read, also for root without a project setting. */
export async function findProject({ muster }: Session): Promise<string> {
  return String(asObject((await muster.request('get', '/v1/whoami')).body)['project_id']);
}
