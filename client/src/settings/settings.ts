import { usage } from '../cli-error';
import { hasCredentials, isKey, type Connection } from '../api/transport';
import { DEFAULT_PROFILE, readProfile, type Profile } from './profiles';

/** What flags can say of who asks, and where. */
export interface ConnectionFlags {
  readonly profile?: string;
  readonly url?: string;
  readonly project?: string;
  readonly user?: string;
  readonly token?: string;
}

/** The environment variables that the client reads. */
export const VARIABLES = [
  'MUSTER_URL',
  'MUSTER_TOKEN',
  'MUSTER_USER',
  'MUSTER_PROJECT',
  'MUSTER_PROFILE',
  'MUSTER_CONFIG',
  'MUSTER_COMPLETION_TIMEOUT',
  'MUSTER_DEBUG',
] as const;

export const DEFAULT_URL = 'http://127.0.0.1:7780';

const MEMBERS = ['url', 'project', 'user', 'token'] as const;
type Member = (typeof MEMBERS)[number];

/** What settings come from, from what counts first to what counts last. */
const ORDER = ['flag', 'environment', 'profile', 'default'] as const;
type Source = (typeof ORDER)[number];

/** Where Muster is and who asks, and what says so. */
export interface Settings {
  readonly connection: Connection;
  /** How a person would name what a setting comes from: `--url`, `MUSTER_URL`, `the profile "lab"`. */
  readonly origins: Readonly<Record<Member, string>>;
  /** What the environment says otherwise than the profile that was asked for by a flag. */
  readonly overridden: readonly string[];
}

interface Given {
  readonly value: string;
  readonly source: Source;
}

/**
 * Where Muster is and who asks: what flags say, else the environment, else the profile.
 * @throws Failure where nothing says by which key
 */
export const connectionOf = (
  flags: ConnectionFlags,
  environment: NodeJS.ProcessEnv = process.env,
): Connection => settingsOf(flags, environment).connection;

/**
 * The same, and where each setting comes from.
 *
 * The user and the project belong to a key: what comes from further away than the key is of somebody else, and left
 * out. And the key of a profile goes nowhere but where it was kept for.
 * @throws Failure where nothing says by which key
 */
export function settingsOf(flags: ConnectionFlags, environment: NodeJS.ProcessEnv = process.env): Settings {
  const name = flags.profile ?? present(environment['MUSTER_PROFILE']);
  const near = Object.fromEntries(
    MEMBERS.map((member) => [member, nearest(member, flags, environment)]),
  ) as Record<Member, Given | undefined>;
  // Nothing of a profile would count: then one that cannot be read is no matter.
  const profile = near.url && near.token && name === undefined ? {} : readProfile(name);
  const all = (member: Member): Given | undefined => near[member] ?? ofProfile(profile, member);
  const token = all('token');
  if (!token)
    throw usage(
      'There is no API key to ask with: set MUSTER_TOKEN, or keep one with "muster login". --help tells more.',
    );
  const label = JSON.stringify(name ?? DEFAULT_PROFILE);
  const key = keyOf(token.value);
  if (key === undefined)
    throw usage(
      `What ${originOf('token', token, label)} says is no API key: it is one word, like mst_<key id>_<secret>.`,
    );
  const url = all('url') ?? { value: DEFAULT_URL, source: 'default' };
  for (const address of [url.value, profile.url ?? DEFAULT_URL]) assertUrl(address);
  if (token.source === 'profile' && !sameService(url.value, profile.url ?? DEFAULT_URL))
    throw usage(
      `The key of the profile ${label} is for ${profile.url ?? DEFAULT_URL}, not for ${url.value} (${originOf('url', url, label)}): ` +
        'give one for there (MUSTER_TOKEN), or keep one with "muster login" in a profile of its own.',
    );
  const ofKey = (member: 'user' | 'project'): Given | undefined => {
    const given = all(member);
    return given && ORDER.indexOf(given.source) <= ORDER.indexOf(token.source) ? given : undefined;
  };
  const [user, project] = [ofKey('user'), ofKey('project')];
  for (const [member, given] of [['user', user] as const, ['project', project] as const])
    if (given) assertOneLine(given.value, `The ${member} (${originOf(member, given, label)})`);
  return {
    connection: {
      url: url.value,
      token: key,
      ...(project ? { project: project.value } : {}),
      ...(user ? { user: user.value } : {}),
    },
    origins: {
      url: originOf('url', url, label),
      token: originOf('token', token, label),
      user: originOf('user', user, label),
      project: originOf('project', project, label),
    },
    overridden: flags.profile === undefined ? [] : overriding(profile, flags, environment),
  };
}

/** @throws Failure for what is no address of a service, or has a password in it: that would be shown in errors */
export function assertUrl(url: string): void {
  if (hasCredentials(url))
    throw usage('A URL with a user or a password in it is not taken: who asks is told by the API key.');
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url))
    throw usage(`${url.includes('@') ? 'That' : JSON.stringify(url)} is no http or https URL.`);
}

/** The key that is given; a file ends with a line break. Undefined for what is none, and must not be shown. */
export function keyOf(given: string): string | undefined {
  const key = given.replace(/\r?\n$/, '');
  return isKey(key) ? key : undefined;
}

/** @throws Failure for what no header can carry. @param what what it is, as a sentence begins */
export function assertOneLine(text: string, what: string): void {
  if (/\p{Cc}/u.test(text)) throw usage(`${what} must be a single line, without control characters.`);
}

/** The variables of the environment that count before a profile and say something else. */
export function overriding(
  profile: Profile,
  flags: ConnectionFlags,
  environment: NodeJS.ProcessEnv = process.env,
): string[] {
  return MEMBERS.filter((member) => {
    const value = present(environment[variableOf(member)]);
    return value !== undefined && flags[member] === undefined && value !== profile[member];
  }).map(variableOf);
}

/** An empty variable counts as absent, as for the service. */
export const present = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

const variableOf = (member: Member): string => `MUSTER_${member.toUpperCase()}`;

function nearest(member: Member, flags: ConnectionFlags, environment: NodeJS.ProcessEnv): Given | undefined {
  const flag = flags[member];
  if (flag !== undefined) return { value: flag, source: 'flag' };
  const variable = present(environment[variableOf(member)]);
  return variable === undefined ? undefined : { value: variable, source: 'environment' };
}

function ofProfile(profile: Profile, member: Member): Given | undefined {
  const value = profile[member];
  return value === undefined ? undefined : { value, source: 'profile' };
}

const sameService = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && bare(one) === bare(other);

const bare = (url: string): string => new URL(url).href.replace(/\/+$/, '');

function originOf(member: Member, given: Given | undefined, profile: string): string {
  if (given?.source === 'flag') return `--${member}`;
  if (given?.source === 'environment') return variableOf(member);
  return given?.source === 'profile' ? `the profile ${profile}` : 'the default';
}

/** Edits that still leave the name of a variable recognizable. */
const MAX_EDITS = 2;

/**
 * Warns of environment variables whose names differ from a known one by a typing error. It takes and prints names only,
 * because values may be secret.
 */
export function misspellingWarnings(names: readonly string[], known: readonly string[]): string[] {
  return names
    .filter((name) => /^\w+$/.test(name) && !known.includes(name))
    .flatMap((name) => {
      const [closest] = known
        .map((variable) => ({ variable, edits: editDistance(name, variable) }))
        .filter(({ edits }) => edits <= MAX_EDITS)
        .sort((a, b) => a.edits - b.edits);
      return closest
        ? [`The environment variable ${name} is unknown and ignored. Did you mean ${closest.variable}?`]
        : [];
    });
}

/** Counts inserted, deleted, replaced and swapped adjacent letters (optimal string alignment distance). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = [];
    rows.push(row);
    for (let j = 0; j <= b.length; j++) {
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        i === 0 || j === 0
          ? i + j
          : Math.min(
              at(i - 1, j) + 1,
              at(i, j - 1) + 1,
              at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
              isSwap ? at(i - 2, j - 2) + 1 : Infinity,
            ),
      );
    }
  }
  return at(a.length, b.length);
}
