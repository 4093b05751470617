import { Command } from 'commander';
import { text } from 'node:stream/consumers';
import { Muster } from '../../api/muster';
import { usage } from '../../failures';
import { say } from '../../output/streams';
import {
  DEFAULT_PROFILE,
  keepProfile,
  profileFile,
  readProfiles,
  type Profile,
} from '../../settings/profiles';
import {
  assertOneLine,
  assertUrl,
  DEFAULT_URL,
  keyOf,
  overriding,
  present,
  type ConnectionFlags,
} from '../../settings/settings';
import type { GlobalOptions } from '../session';

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
  const { askForLogin } = await import('./ask-for-login.js');
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
