import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { usageError } from '../cli-error';

/** The settings that `muster login` saves under a name. */
export interface Profile {
  readonly url?: string;
  readonly project?: string;
  readonly user?: string;
  readonly token?: string;
  /** Set if the token is one of an OpenID provider. */
  readonly oidc?: OidcLogin;
}

/** A login at an OpenID provider. */
export interface OidcLogin {
  readonly issuer: string;
  readonly client_id: string;
  readonly refresh_token?: string;
  /** When the token expires, in milliseconds since the epoch. */
  readonly expires_at?: number;
}

export const DEFAULT_PROFILE = 'default';

const MEMBERS = ['url', 'project', 'user', 'token'] as const;
const NAME = /^[\w.-]{1,100}$/;
/** The permission bits of the file's group and of other users. */
const GROUP_AND_OTHERS = 0o077;

/** The path of the file of profiles, which only its owner can read. */
export function profilesPath(): string {
  const { MUSTER_CONFIG, XDG_CONFIG_HOME } = process.env;
  if (MUSTER_CONFIG !== undefined && MUSTER_CONFIG !== '') return MUSTER_CONFIG;
  const folder =
    XDG_CONFIG_HOME === undefined || XDG_CONFIG_HOME === '' ? join(homedir(), '.config') : XDG_CONFIG_HOME;
  return join(folder, 'muster', 'profiles.json');
}

/** A profile; without a name the default one, which may be missing. @throws CliError if a named profile is missing */
export function readProfile(name: string | undefined): Profile {
  const profile = readProfiles().get(name ?? DEFAULT_PROFILE);
  if (profile) return profile;
  if (name === undefined) return {};
  throw usageError(
    `There is no profile ${JSON.stringify(name)} in ${profilesPath()}. Create it with "muster login --profile ${name}".`,
  );
}

/**
 * All profiles, by name; none if there is no file yet.
 * @throws CliError if the file is invalid, or other users can read it: then the keys in it are not secret
 */
export function readProfiles(): ReadonlyMap<string, Profile> {
  const file = profilesPath();
  const text = readProfilesFile(file);
  if (text === undefined) return new Map();
  const profiles = parseProfiles(text);
  if (!profiles)
    throw usageError(
      `${file} is not a valid file of profiles. Delete it and run "muster login" to create a new one.`,
    );
  return profiles;
}

/** Saves a profile, or deletes it with `undefined`. The file is replaced atomically. */
export function saveProfile(name: string, profile: Profile | undefined): void {
  if (!NAME.test(name))
    throw usageError(
      'The name of a profile must have 1 to 100 characters: letters, digits, ".", "-" and "_".',
    );
  const file = profilesPath();
  const profiles = new Map(readProfiles());
  if (profile) profiles.set(name, profile);
  else profiles.delete(name);
  // A symbolic link stays; the file that it refers to is replaced.
  const target = existsSync(file) ? realpathSync(file) : file;
  const temporary = `${target}.${randomUUID()}`;
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, `${JSON.stringify(Object.fromEntries(profiles), null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw usageError(`${file} cannot be written: ${errorMessage(error)}`);
  }
}

/** @throws CliError if other users can read the file, as ssh does for private keys */
function readProfilesFile(file: string): string | undefined {
  try {
    const { mode } = statSync(file);
    if (process.platform !== 'win32' && (mode & GROUP_AND_OTHERS) !== 0)
      throw usageError(
        `${file} contains API keys, and its mode ${(mode & 0o777).toString(8).padStart(4, '0')} lets other users access it. ` +
          `Restrict it: chmod 600 ${file}`,
      );
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code === 'ENOENT') return undefined;
    throw usageError(`${file} cannot be read: ${errorMessage(error)}`);
  }
}

/** Undefined if the text is not a valid file of profiles. */
function parseProfiles(text: string): Map<string, Profile> | undefined {
  const profiles = parseObject(text);
  if (!profiles) return undefined;
  const pairs = Object.entries(profiles).flatMap(([name, profile]) =>
    isProfile(profile) ? [[name, profile] as const] : [],
  );
  return pairs.length === Object.keys(profiles).length ? new Map(pairs) : undefined;
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const memberOf = (value: object, name: string): unknown =>
  Object.getOwnPropertyDescriptor(value, name)?.value;

const isOptional = (type: 'string' | 'number', value: unknown): boolean =>
  value === undefined || typeof value === type;

function isProfile(value: unknown): value is Profile {
  if (!isObject(value) || !MEMBERS.every((member) => isOptional('string', memberOf(value, member))))
    return false;
  const oidc = memberOf(value, 'oidc');
  return oidc === undefined || (isObject(oidc) && isOidcLogin(oidc));
}

const isOidcLogin = (value: object): boolean =>
  typeof memberOf(value, 'issuer') === 'string' &&
  typeof memberOf(value, 'client_id') === 'string' &&
  isOptional('string', memberOf(value, 'refresh_token')) &&
  isOptional('number', memberOf(value, 'expires_at'));

/** The message of an error. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
