import { readFileSync } from 'node:fs';
import { hasCredentials, isApiKey, type Connection } from '../api/transport';
import { usageError } from '../cli-error';
import { isLogin, type LoginProfile } from '../oidc/login-tokens';
import { DEFAULT_PROFILE, errorMessage, readProfile, type Profile } from './profiles';
import { findClosest } from '../text';

/** The flags for the URL and the credentials. */
export interface ConnectionFlags {
  readonly profile?: string;
  readonly url?: string;
  readonly project?: string;
  readonly user?: string;
  readonly token?: string;
}

/** The environment variables that the client reads. */
export const ENVIRONMENT_VARIABLES = [
  'MUSTER_URL',
  'MUSTER_TOKEN',
  'MUSTER_TOKEN_FILE',
  'MUSTER_USER',
  'MUSTER_PROJECT',
  'MUSTER_PROFILE',
  'MUSTER_CONFIG',
  'MUSTER_COMPLETION_TIMEOUT',
  'MUSTER_DEBUG',
] as const;

/** Names a file with the API key, such as one that a secret store mounts. */
const TOKEN_FILE = 'MUSTER_TOKEN_FILE';

export const DEFAULT_URL = 'http://127.0.0.1:7780';

const MEMBERS = ['url', 'project', 'user', 'token'] as const;
type Member = (typeof MEMBERS)[number];

/** The sources of settings, in order of precedence. */
const SOURCES = ['flag', 'environment', 'profile', 'default'] as const;
type Source = (typeof SOURCES)[number];

/** The URL and the credentials, and where each of them comes from. */
export interface Settings {
  readonly connection: Connection;
  /** The source of each setting, for messages: `--url`, `MUSTER_URL`, `the profile "lab"`. */
  readonly sources: Readonly<Record<Member, string>>;
  /** The profile of the token, if it was saved by `muster login --oidc`. */
  readonly login: SavedLogin | undefined;
  /** The environment variables that override members of the profile chosen with `--profile`. */
  readonly overridden: readonly string[];
}

/** A login at an OpenID provider, and the name of its profile. */
export interface SavedLogin {
  readonly name: string;
  readonly profile: LoginProfile;
}

interface SettingValue {
  readonly value: string;
  readonly source: Source;
  /** The environment variable that it comes from. */
  readonly variable?: string;
}

/**
 * Reads the settings from flags, then environment variables, then the profile.
 *
 * The user and the project belong to the API key: if their source has a lower precedence than the source of the key, they
 * are ignored. The key of a profile is only sent to the URL of that profile.
 * @throws CliError if there is no API key, or a setting is invalid
 */
export function readSettings(flags: ConnectionFlags, environment: NodeJS.ProcessEnv = process.env): Settings {
  const name = flags.profile ?? nonEmpty(environment['MUSTER_PROFILE']);
  const direct = Object.fromEntries(
    MEMBERS.map((member) => [member, fromFlagOrEnvironment(member, flags, environment)]),
  ) as Record<Member, SettingValue | undefined>;
  // Do not read a profile that would not be used: it may be unreadable.
  const profile = direct.url && direct.token && name === undefined ? {} : readProfile(name);
  const resolve = (member: Member): SettingValue | undefined =>
    direct[member] ?? fromProfile(profile, member);
  const token = resolve('token');
  if (!token)
    throw usageError(
      'No API key. Set MUSTER_TOKEN or MUSTER_TOKEN_FILE, or save a key with "muster login". See --help.',
    );
  const profileName = JSON.stringify(name ?? DEFAULT_PROFILE);
  const key = parseApiKey(token.value);
  if (key === undefined)
    throw usageError(
      `Invalid API key in ${describeSource('token', token, profileName)}: expected one word such as mst_<key id>_<secret>.`,
    );
  const url = resolve('url') ?? { value: DEFAULT_URL, source: 'default' };
  for (const address of [url.value, profile.url ?? DEFAULT_URL]) assertUrl(address);
  if (token.source === 'profile' && !isSameService(url.value, profile.url ?? DEFAULT_URL))
    throw usageError(
      `The key of the profile ${profileName} is for ${profile.url ?? DEFAULT_URL}, not for ${url.value} (${describeSource('url', url, profileName)}): ` +
        'set MUSTER_TOKEN to a key for that service, or save one in another profile with "muster login --profile".',
    );
  const ifOwnedByKey = (member: 'user' | 'project'): SettingValue | undefined => {
    const setting = resolve(member);
    return setting && SOURCES.indexOf(setting.source) <= SOURCES.indexOf(token.source) ? setting : undefined;
  };
  const [user, project] = [ifOwnedByKey('user'), ifOwnedByKey('project')];
  for (const [member, given] of [['user', user] as const, ['project', project] as const])
    if (given) assertSingleLine(given.value, `The ${member} (${describeSource(member, given, profileName)})`);
  return {
    connection: {
      url: url.value,
      token: key,
      ...(project ? { project: project.value } : {}),
      ...(user ? { user: user.value } : {}),
    },
    sources: {
      url: describeSource('url', url, profileName),
      token: describeSource('token', token, profileName),
      user: describeSource('user', user, profileName),
      project: describeSource('project', project, profileName),
    },
    login:
      token.source === 'profile' && isLogin(profile) ? { name: name ?? DEFAULT_PROFILE, profile } : undefined,
    overridden: flags.profile === undefined ? [] : overriddenByEnvironment(profile, flags, environment),
  };
}

/** @throws CliError for an invalid URL, or one with a password: errors would show the password */
export function assertUrl(url: string): void {
  if (hasCredentials(url))
    throw usageError('The URL must not contain a user or a password. Credentials are given as an API key.');
  if (/^https?:\/\/[^/]/.test(url) && URL.canParse(url)) return;
  if (url.includes('@')) throw usageError('That is not an http or https URL.');
  const withScheme = `https://${url}`;
  const isHost = /^[^/:]+(?::\d+)?(?:\/|$)/.test(url) && URL.canParse(withScheme);
  throw usageError(
    `${JSON.stringify(url)} is not an http or https URL${isHost ? `: use ${withScheme}, or http:// without TLS` : ''}.`,
  );
}

/** A token without the scheme of the header that it was copied from: `Bearer mst_…`. */
export const withoutScheme = (token: string): string =>
  token.replace(/^(?:Authorization: *)?(?:Bearer|Token) +/i, '');

/** An API key without the line break at the end of a file; undefined for anything else. */
export function parseApiKey(setting: string): string | undefined {
  const key = withoutScheme(setting.replace(/\r?\n$/, ''));
  return isApiKey(key) ? key : undefined;
}

/** @param what the subject of the message @throws CliError for a text that a header cannot contain */
export function assertSingleLine(text: string, what: string): void {
  if (/\p{Cc}/u.test(text)) throw usageError(`${what} must be a single line, without control characters.`);
}

/**
 * The environment variables that override a member of the profile with another value.
 * @throws CliError if the file of the API key cannot be read
 */
export function overriddenByEnvironment(
  profile: Profile,
  flags: ConnectionFlags,
  environment: NodeJS.ProcessEnv = process.env,
): string[] {
  return MEMBERS.flatMap((member) => {
    if (flags[member] !== undefined) return [];
    const found = fromEnvironment(member, environment);
    return found === undefined || found.value === profile[member] ? [] : [found.variable];
  });
}

/** An empty variable counts as not set, as for the service. */
export const nonEmpty = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

const variableName = (member: Member): string => `MUSTER_${member.toUpperCase()}`;

function fromFlagOrEnvironment(
  member: Member,
  flags: ConnectionFlags,
  environment: NodeJS.ProcessEnv,
): SettingValue | undefined {
  const flag = flags[member];
  return flag === undefined ? fromEnvironment(member, environment) : { value: flag, source: 'flag' };
}

/** @throws CliError if the file of the API key cannot be read, or there are two keys */
function fromEnvironment(member: Member, environment: NodeJS.ProcessEnv): Required<SettingValue> | undefined {
  const variable = variableName(member);
  const value = nonEmpty(environment[variable]);
  const file = member === 'token' ? nonEmpty(environment[TOKEN_FILE]) : undefined;
  if (file === undefined) return value === undefined ? undefined : { value, source: 'environment', variable };
  if (value !== undefined) throw usageError(`Set either ${variable} or ${TOKEN_FILE}, not both.`);
  try {
    return { value: readFileSync(file, 'utf8'), source: 'environment', variable: TOKEN_FILE };
  } catch (error) {
    throw usageError(`The file in ${TOKEN_FILE} cannot be read: ${errorMessage(error)}`);
  }
}

function fromProfile(profile: Profile, member: Member): SettingValue | undefined {
  const value = profile[member];
  return value === undefined ? undefined : { value, source: 'profile' };
}

const isSameService = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && normalizeUrl(one) === normalizeUrl(other);

const normalizeUrl = (url: string): string => new URL(url).href.replace(/\/+$/, '');

function describeSource(member: Member, setting: SettingValue | undefined, profile: string): string {
  if (setting?.source === 'flag') return `--${member}`;
  if (setting?.source === 'environment') return setting.variable ?? variableName(member);
  return setting?.source === 'profile' ? `the profile ${profile}` : 'the default';
}

/**
 * Warnings about environment variables that look like misspelled names of known ones. Values are not used, because they
 * may be secret.
 */
export function misspellingWarnings(names: readonly string[], known: readonly string[]): string[] {
  return names
    .filter((name) => /^\w+$/.test(name) && !known.includes(name))
    .flatMap((name) => {
      const closest = findClosest(name, known);
      return closest !== undefined
        ? [`The environment variable ${name} is unknown and ignored. Did you mean ${closest}?`]
        : [];
    });
}
