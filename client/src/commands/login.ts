import { Command } from 'commander';
import { text } from 'node:stream/consumers';
import { ApiError } from '@muster/api-types';
import { Muster } from '../api/muster';
import { CliError, EXIT, usageError } from '../cli-error';
import type { OidcOffer } from '../oidc/login';
import type { GlobalOptions } from './session';
import { printStatus } from '../output/console';
import { DEFAULT_PROFILE, profilesPath, readProfiles, saveProfile, type Profile } from '../settings/profiles';
import {
  assertSingleLine,
  assertUrl,
  DEFAULT_URL,
  nonEmpty,
  overriddenByEnvironment,
  parseApiKey,
  type ConnectionFlags,
} from '../settings/settings';

interface LoginOptions {
  readonly tokenStdin?: true;
  readonly oidc?: true;
}

/** The smallest page size that every configuration of the service accepts. */
const MIN_PAGE_LIMIT = 10;

type UsableProfile = Profile & { readonly url: string; readonly token: string };

/** `muster login` */
export function loginCommand(): Command {
  return new Command('login')
    .option('--token-stdin', 'read the API key from standard input')
    .option('--oidc', 'log in with a browser, at the OpenID provider of the service')
    .addHelpText('after', HELP)
    .action(async (options: LoginOptions, command: Command) => {
      const flags = command.optsWithGlobals<GlobalOptions>();
      const name = flags.profile ?? nonEmpty(process.env['MUSTER_PROFILE']) ?? DEFAULT_PROFILE;
      // Before the prompts: the file of profiles may be invalid.
      const existing = readProfiles().get(name);
      const [login, result] = options.oidc
        ? await logInWithOidc(flags, options, existing)
        : await logInWithKey(flags, options, existing);
      saveProfile(name, login);
      printStatus(`${result} Saved in the profile ${JSON.stringify(name)} of ${profilesPath()}.`);
      if (name !== DEFAULT_PROFILE && process.env['MUSTER_PROFILE'] !== name)
        printStatus(`Use it with --profile ${name} or MUSTER_PROFILE=${name}.`);
      const overridden = overriddenByEnvironment(login, {});
      if (overridden.length > 0)
        printStatus(`Environment variables override this profile: ${overridden.join(', ')}.`);
    });
}

const HELP = `
At a terminal it prompts for missing settings. In scripts, pass the key on standard input:
  muster login --url https://muster.example.com --token-stdin < key.txt
It checks the key, and saves it in a file that only you can read. With --oidc, it prints a URL to open in a browser, and
saves an access token, which is renewed for as long as the provider allows.`;

async function logInWithKey(
  flags: ConnectionFlags,
  options: LoginOptions,
  existing: Profile | undefined,
): Promise<[UsableProfile, string]> {
  const login = await readLogin(flags, options, existing);
  return [login, await tryLogin(login)];
}

/** Logs in at the OpenID provider. The project is saved, because a token can be valid for several. */
async function logInWithOidc(
  flags: ConnectionFlags,
  { tokenStdin }: LoginOptions,
  existing: Profile | undefined,
): Promise<[UsableProfile, string]> {
  if (tokenStdin || flags.token !== undefined || flags.user !== undefined)
    throw usageError(
      '--oidc determines the user and the token: it excludes --token, --token-stdin and --user.',
    );
  const url = urlOf(flags, existing).replace(/\/+$/, '');
  assertUrl(url);
  const project = flags.project === undefined ? {} : { project: flags.project };
  const { logIn } = await import('../oidc/login.js');
  const login = { url, ...project, ...(await logIn(await readOffer(url))) };
  const caller = await readCaller(login);
  return [
    { ...login, project: caller.project_id },
    `Logged in as ${caller.username} at ${url}, in the project ${caller.project_name}.`,
  ];
}

/** What the service says about its OpenID provider. @throws CliError if it has none */
async function readOffer(url: string): Promise<OidcOffer> {
  // The route is public; the client requires a token.
  const { oidc } = await new Muster({ url, token: '-' }).get('/v1/sign-in', {});
  if (oidc) return oidc;
  throw new CliError(`Muster at ${url} does not use OpenID Connect: log in with an API key.`, EXIT.rejected);
}

/** @throws CliError with the service's reason, which says whether to choose a project */
async function readCaller(login: UsableProfile) {
  try {
    return await new Muster(login).get('/v1/whoami', {});
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    throw new CliError(`The service does not accept the login: ${error.message}`, EXIT.rejected, [
      '  Choose a project with --project, or ask for access to one.',
    ]);
  }
}

const urlOf = (flags: ConnectionFlags, existing: Profile | undefined): string =>
  flags.url ?? nonEmpty(process.env['MUSTER_URL']) ?? existing?.url ?? DEFAULT_URL;

async function readLogin(
  flags: ConnectionFlags,
  { tokenStdin }: LoginOptions,
  existing: Profile | undefined,
): Promise<UsableProfile> {
  if (tokenStdin && flags.token !== undefined) throw usageError('Use either --token or --token-stdin.');
  const url = urlOf(flags, existing);
  if (flags.url !== undefined) assertUrl(flags.url);
  const { user, project } = flags;
  const rest = { ...(user === undefined ? {} : { user }), ...(project === undefined ? {} : { project }) };
  if (tokenStdin) return validateLogin({ url, token: await text(process.stdin), ...rest });
  if (flags.token !== undefined) return validateLogin({ url, token: flags.token, ...rest });
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw usageError('Cannot prompt for the API key without a terminal: use --token-stdin.');
  return validateLogin(await promptForLogin(flags, url));
}

/** @throws CliError for values that a header cannot contain */
function validateLogin({ url, token, ...rest }: UsableProfile): UsableProfile {
  assertUrl(url);
  if (rest.user !== undefined) assertSingleLine(rest.user, 'The user');
  if (rest.project !== undefined) assertSingleLine(rest.project, 'The project');
  const key = parseApiKey(token.trim());
  if (key === undefined)
    throw usageError('Invalid API key: expected one word such as mst_<key id>_<secret>.');
  return { url: url.replace(/\/+$/, ''), token: key, ...rest };
}

/**
 * Checks the key with a request. @returns a message with the user and the URL
 * @throws ApiError, NetworkError if the key cannot be used
 */
async function tryLogin(login: UsableProfile): Promise<string> {
  const { url, user, project } = login;
  // Every request checks the user and the project.
  await new Muster(login).request('get', '/v1/regions', { query: { fields: 'id', limit: MIN_PAGE_LIMIT } });
  const subject = user === undefined ? 'The API key is valid' : `Logged in as ${user}`;
  return `${subject} at ${url}${project === undefined ? '' : `, in the project ${project}`}.`;
}

/**
 * Prompts for missing settings. The key is not shown.
 * @param url the default
 * @throws CliError for Ctrl-C
 */
async function promptForLogin(flags: ConnectionFlags, url: string) {
  try {
    return await runPrompts(flags, url);
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError')
      throw new CliError('Interrupted: nothing was saved.', EXIT.interrupted);
    throw error;
  }
}

async function runPrompts(flags: ConnectionFlags, defaultUrl: string) {
  const { default: input } = await import('@inquirer/input');
  const { default: password } = await import('@inquirer/password');
  // Prompts go to standard error: standard output is for results.
  const terminal = { output: process.stderr };
  const prompt = async (message: string) => (await input({ message }, terminal)).trim();
  const url = flags.url ?? (await input({ message: 'URL of Muster', default: defaultUrl }, terminal)).trim();
  const token = await password({ message: 'API key', mask: true }, terminal);
  const user = flags.user ?? (await prompt('User (optional)'));
  const project = flags.project ?? (await prompt("UUID of the project (default: the user's own)"));
  return { url, token, ...(user === '' ? {} : { user }), ...(project === '' ? {} : { project }) };
}
