import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { requirePrivateFolder } from '@muster/embedded-postgres';
import { removeDrafts, syncFolder } from '../core/temporary-files';
import { StartupError } from '../core/errors';
import { toStartupError } from '../database/connection/connection';
import { SecretBox, type SecretKeys } from '../core/secret-box';
import type { Environment } from '../config/environment';

/** The encryption keys of access secrets, and their source. It can be sent to other processes. */
export interface KeySource {
  /** In base64. The first one encrypts; all of them decrypt. */
  readonly keys: readonly string[];
  /** The file that contains the keys, unless the environment does. It is read again at intervals. */
  readonly file?: string;
}

type Settings = Pick<Environment, 'SECRETS_KEY' | 'SECRETS_KEY_OTHERS'>;

/** The file in the data directory that contains the keys if SECRETS_KEY is not set. */
export const keyFileIn = (dataDir: string): string => join(dataDir, 'secrets.key');

/**
 * Loads the keys from the environment, or from the key file. Creates the file with a new key if it does not exist.
 * @throws StartupError if the file cannot be read or written, or if other users can do so
 */
export function loadOrCreateKeys(
  settings: Settings,
  dataDir: string,
  print: (sentence: string) => void,
): KeySource {
  const configured = configuredKeys(settings);
  if (configured) return configured;
  const file = keyFileIn(dataDir);
  try {
    // Only the data directory itself is private; directories created above it have the permissions of the umask.
    if (mkdirSync(dataDir, { recursive: true }) !== undefined) chmodSync(dataDir, 0o700);
    requirePrivateFolder(dataDir);
    removeDrafts(file);
    const key = randomBytes(32).toString('base64');
    // Linking fails if the file exists: of two processes that start at once, both use the same complete file.
    const draft = `${file}.${String(process.pid)}`;
    try {
      writeFileSync(draft, key, { mode: 0o600, flush: true });
      linkSync(draft, file);
      syncFolder(dataDir);
    } finally {
      rmSync(draft, { force: true });
    }
    print(`A key for access secrets was created in ${file}: keep a copy, or set SECRETS_KEY.`);
    return { keys: [key], file };
  } catch (error) {
    const failure = toStartupError(error);
    if (failure instanceof StartupError) throw failure;
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new StartupError(
        `The key for access secrets cannot be stored in ${file}: set SECRETS_KEY or DATA_DIR.`,
        { cause: error },
      );
  }
  requirePrivateFile(file);
  return keysFrom(file);
}

/** The group may read the file: that of the service, if the key belongs to root. */
function requirePrivateFile(file: string): void {
  // Windows has no such file modes.
  if (process.platform === 'win32' || (statSync(file).mode & 0o027) === 0) return;
  throw new StartupError(`Other users may read or change ${file}: run "chmod g-w,o-rwx ${file}".`);
}

/**
 * Loads the keys from the environment, or from the key file.
 * @returns undefined if there are none
 * @throws StartupError if the file is damaged
 */
export function loadKeys(settings: Settings, dataDir: string): KeySource | undefined {
  const file = keyFileIn(dataDir);
  return configuredKeys(settings) ?? (existsSync(file) ? keysFrom(file) : undefined);
}

const configuredKeys = ({ SECRETS_KEY, SECRETS_KEY_OTHERS = [] }: Settings): KeySource | undefined =>
  SECRETS_KEY === undefined ? undefined : { keys: [SECRETS_KEY, ...SECRETS_KEY_OTHERS] };

const keysFrom = (file: string): KeySource => ({
  keys: readKeyFile(file).map((key) => key.toString('base64')),
  file,
});

/** Creates the box that encrypts and decrypts with these keys. It uses new keys soon after their file is replaced. */
export function createSecretBox({ keys, file }: KeySource): SecretBox {
  const [first, ...others] = keys.map(decodeKey);
  if (!first) throw new Error('there is no encryption key');
  return new SecretBox([first, ...others], file === undefined ? undefined : () => tryReadKeyFile(file));
}

/**
 * Replaces the key file atomically. It keeps its owner, its group and its permissions.
 * @throws StartupError if it cannot be written
 */
export function replaceKeyFile(file: string, keys: SecretKeys): void {
  const draft = `${file}.${String(process.pid)}`;
  try {
    removeDrafts(file);
    writeFileSync(draft, keys.map((key) => key.toString('base64')).join('\n'), { mode: 0o600, flush: true });
    // The command may run as another user than the service, which may read the file through its group.
    const { uid, gid, mode } = statSync(file);
    chownSync(draft, uid, gid);
    chmodSync(draft, mode & 0o777);
    renameSync(draft, file);
    // The new key must survive a power failure before anything is encrypted with it.
    syncFolder(dirname(file));
  } catch (error) {
    rmSync(draft, { force: true });
    throw new StartupError(`The keys for access secrets cannot be written to ${file}.`, { cause: error });
  }
}

/**
 * Reads the keys from their file, which has one on each line.
 * @throws StartupError if it is damaged
 */
function readKeyFile(file: string): SecretKeys {
  const [first, ...others] = readFileSync(file, 'utf8').trim().split('\n').map(decodeKey);
  if (!first || [first, ...others].some(({ length }) => length !== 32))
    throw new StartupError(`The key for access secrets in ${file} is damaged: restore it.`);
  return [first, ...others];
}

/** @returns undefined if the file cannot be read: the service continues with the keys that it has */
function tryReadKeyFile(file: string): SecretKeys | undefined {
  try {
    return readKeyFile(file);
  } catch {
    return undefined;
  }
}

const decodeKey = (text: string): Buffer => Buffer.from(text, 'base64');
