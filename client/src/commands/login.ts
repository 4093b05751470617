import { Command } from 'commander';
import { text } from 'node:stream/consumers';
import { Muster } from '../api/muster';
import { CliError, EXIT, usageError } from '../cli-error';
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
}

/** The smallest page size that every configuration of the service accepts. */
const MIN_PAGE_LIMIT = 10;

type UsableProfile = Profile & { readonly url: string; readonly token: string };

/** `muster login` */
export function loginCommand(): Command {
  return new Command('login')
    .option('--token-stdin', 'read the API key from standard input')
    .addHelpText('after', HELP)
    .action(async (options: LoginOptions, command: Command) => {
      const flags = command.optsWithGlobals<GlobalOptions>();
      const name = flags.profile ?? nonEmpty(process.env['MUSTER_PROFILE']) ?? DEFAULT_PROFILE;
      // Before the prompts: the file of profiles may be invalid.
      const existing = readProfiles().get(name);
      const login = await readLogin(flags, options, existing);
      const result = await tryLogin(login);
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
It checks the key, and saves it in a file that only you can read.`;

async function readLogin(
  flags: ConnectionFlags,
  { tokenStdin }: LoginOptions,
  existing: Profile | undefined,
): Promise<UsableProfile> {
  if (tokenStdin && flags.token !== undefined) throw usageError('Use either --token or --token-stdin.');
  const url = flags.url ?? nonEmpty(process.env['MUSTER_URL']) ?? existing?.url ?? DEFAULT_URL;
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
