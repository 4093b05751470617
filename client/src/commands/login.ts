import { Command } from 'commander';
import { text } from 'node:stream/consumers';
import { Muster } from '../api/muster';
import { EXIT, Failure, usage } from '../cli-error';
import { say } from '../output/console';
import { DEFAULT_PROFILE, keepProfile, profileFile, readProfiles, type Profile } from '../settings/profiles';
import {
  assertOneLine,
  assertUrl,
  type ConnectionFlags,
  DEFAULT_URL,
  keyOf,
  overriding,
  present,
} from '../settings/settings';
import type { GlobalOptions } from './session';

interface LoginOptions {
  readonly tokenStdin?: true;
}

/** No deployment refuses a page of so many. */
const SMALLEST_PAGE = 10;

/** What is to be kept: a profile that can be used. */
type Login = Profile & { readonly url: string; readonly token: string };

/** `muster login` */
export function loginCommand(): Command {
  return new Command('login')
    .option('--token-stdin', 'read the API key from standard input')
    .addHelpText('after', HELP)
    .action(async (options: LoginOptions, command: Command) => {
      const flags = command.optsWithGlobals<GlobalOptions>();
      const name = flags.profile ?? present(process.env['MUSTER_PROFILE']) ?? DEFAULT_PROFILE;
      // Before anything is asked: a file that cannot be used is told first.
      const before = readProfiles().get(name);
      const login = await loginOf(flags, options, before);
      const who = await tried(login);
      keepProfile(name, login);
      say(`${who} Kept in the profile ${JSON.stringify(name)} of ${profileFile()}.`);
      if (name !== DEFAULT_PROFILE && process.env['MUSTER_PROFILE'] !== name)
        say(`Use it with --profile ${name}, or with MUSTER_PROFILE=${name} in the environment.`);
      const set = overriding(login, {});
      if (set.length > 0)
        say(`The environment goes before it: commands take ${set.join(', ')} from there while that is set.`);
    });
}

const HELP = `
At a terminal it asks for what flags do not give. Elsewhere the key comes from --token-stdin:
  muster login --url https://muster.example.com --token-stdin < key.txt
The key is tried before it is kept, in a file that nobody but you may read.`;

async function loginOf(
  flags: ConnectionFlags,
  { tokenStdin }: LoginOptions,
  before: Profile | undefined,
): Promise<Login> {
  if (tokenStdin && flags.token !== undefined) throw usage('--token and --token-stdin exclude each other.');
  const url = flags.url ?? present(process.env['MUSTER_URL']) ?? before?.url ?? DEFAULT_URL;
  if (flags.url !== undefined) assertUrl(flags.url);
  const { user, project } = flags;
  const rest = { ...(user === undefined ? {} : { user }), ...(project === undefined ? {} : { project }) };
  if (tokenStdin) return checked({ url, token: await text(process.stdin), ...rest });
  if (flags.token !== undefined) return checked({ url, token: flags.token, ...rest });
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw usage('There is no terminal to ask for the API key at: give it with --token-stdin.');
  return checked(await askForLogin(flags, url));
}

/** @throws Failure for what no header can carry */
function checked({ url, token, ...rest }: Login): Login {
  assertUrl(url);
  if (rest.user !== undefined) assertOneLine(rest.user, 'The user');
  if (rest.project !== undefined) assertOneLine(rest.project, 'The project');
  const key = keyOf(token.trim());
  if (key === undefined) throw usage('That is no API key: it is one word, like mst_<key id>_<secret>.');
  return { url: url.replace(/\/+$/, ''), token: key, ...rest };
}

/**
 * Asks the service something with the key. @returns whose it is, and where, in a sentence
 * @throws Refusal, Unreachable where it cannot be used so
 */
async function tried({ url, token, user, project }: Login): Promise<string> {
  const muster = new Muster({
    url,
    token,
    ...(user === undefined ? {} : { user }),
    ...(project === undefined ? {} : { project }),
  });
  // Any answer will do: the user and the project are checked with each.
  await muster.request('get', '/v1/regions', { query: { fields: 'id', limit: SMALLEST_PAGE } });
  const who = user === undefined ? 'The key works' : `You are ${user}`;
  return `${who} at ${url}${project === undefined ? '' : `, in the project ${project}`}.`;
}

/**
 * Asks at the terminal for what flags do not say. The key is not shown.
 * @param url what is proposed
 * @throws Failure where somebody would rather not say
 */
async function askForLogin(flags: ConnectionFlags, url: string) {
  try {
    return await asked(flags, url);
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError')
      throw new Failure('Interrupted: nothing was kept.', EXIT.interrupted);
    throw error;
  }
}

async function asked(flags: ConnectionFlags, proposed: string) {
  const { default: input } = await import('@inquirer/input');
  const { default: password } = await import('@inquirer/password');
  // What is asked goes where a person reads, and leaves standard output to results.
  const terminal = { output: process.stderr };
  const one = async (message: string) => (await input({ message }, terminal)).trim();
  const url = flags.url ?? (await input({ message: 'Where is Muster?', default: proposed }, terminal)).trim();
  const token = await password({ message: 'API key', mask: true }, terminal);
  const user = flags.user ?? (await one('User (need not be given)'));
  const project = flags.project ?? (await one("Project, by its UUID (else the user's own)"));
  return { url, token, ...(user === '' ? {} : { user }), ...(project === '' ? {} : { project }) };
}
