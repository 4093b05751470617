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
import { usage } from '../cli-error';

/** What is kept under a name by `muster login`. */
export interface Profile {
  readonly url?: string;
  readonly project?: string;
  readonly user?: string;
  readonly token?: string;
}

export const DEFAULT_PROFILE = 'default';

const MEMBERS = ['url', 'project', 'user', 'token'] as const;
const NAME = /^[\w.-]{1,100}$/;
/** The bits of a file's mode with which others than its owner may do something. */
const OTHERS = 0o077;

/** Where profiles are kept, for their owner alone. */
export function profileFile(environment: NodeJS.ProcessEnv = process.env): string {
  const { MUSTER_CONFIG, XDG_CONFIG_HOME } = environment;
  if (MUSTER_CONFIG !== undefined && MUSTER_CONFIG !== '') return MUSTER_CONFIG;
  const folder =
    XDG_CONFIG_HOME === undefined || XDG_CONFIG_HOME === '' ? join(homedir(), '.config') : XDG_CONFIG_HOME;
  return join(folder, 'muster', 'profiles.json');
}

/** A profile; without a name, the default one, which need not be there. @throws Failure for one that is not there */
export function readProfile(name: string | undefined): Profile {
  const profile = readProfiles().get(name ?? DEFAULT_PROFILE);
  if (profile) return profile;
  if (name === undefined) return {};
  throw usage(
    `There is no profile ${JSON.stringify(name)} in ${profileFile()}: "muster login --profile ${name}".`,
  );
}

/**
 * Every profile, by its name; none where there is no file yet.
 * @throws Failure for a file that is none of profiles, or that others may read: then a key in it is no secret
 */
export function readProfiles(): ReadonlyMap<string, Profile> {
  const file = profileFile();
  const text = textOf(file);
  if (text === undefined) return new Map();
  const profiles = parsed(text);
  if (!profiles) throw usage(`${file} does not hold profiles. "muster login" makes it anew once it is gone.`);
  return profiles;
}

/** Keeps a profile under a name, or with `undefined` forgets it. The file is there whole, old or new, at any time. */
export function keepProfile(name: string, profile: Profile | undefined): void {
  if (!NAME.test(name))
    throw usage('A profile\'s name is made of letters, digits, ".", "-" and "_", and at most 100 of them.');
  const file = profileFile();
  const profiles = new Map(readProfiles());
  if (profile) profiles.set(name, profile);
  else profiles.delete(name);
  // Who keeps the file elsewhere, and here a link to it, keeps the link.
  const place = existsSync(file) ? realpathSync(file) : file;
  const unfinished = `${place}.${randomUUID()}`;
  try {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    writeFileSync(unfinished, `${JSON.stringify(Object.fromEntries(profiles), null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    renameSync(unfinished, place);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw usage(`${file} cannot be written: ${messageOf(error)}`);
  }
}

/** @throws Failure where others may read it, as for a private key of ssh */
function textOf(file: string): string | undefined {
  try {
    const { mode } = statSync(file);
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
      throw usage(
        `${file} holds API keys, and others on this machine may use it (its mode is ${(mode & 0o777).toString(8).padStart(4, '0')}). ` +
          `It is not read before that is mended: chmod 600 ${file}`,
      );
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code === 'ENOENT') return undefined;
    throw usage(`${file} cannot be read: ${messageOf(error)}`);
  }
}

/** Undefined if the text is not of profiles. */
function parsed(text: string): Map<string, Profile> | undefined {
  const profiles = objectIn(text);
  if (!profiles) return undefined;
  const pairs = Object.entries(profiles).flatMap(([name, profile]) =>
    isProfile(profile) ? [[name, profile] as const] : [],
  );
  return pairs.length === Object.keys(profiles).length ? new Map(pairs) : undefined;
}

function objectIn(text: string): object | undefined {
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

const isProfile = (value: unknown): value is Profile =>
  isObject(value) &&
  MEMBERS.every((member) => {
    const kept: unknown = Object.getOwnPropertyDescriptor(value, member)?.value;
    return kept === undefined || typeof kept === 'string';
  });

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
