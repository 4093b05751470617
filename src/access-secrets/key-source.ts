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
import { removeDrafts, syncFolder } from '../core/temporary-files';
import { StartupError } from '../core/errors/startup-error';
import { requirePrivateFolder } from '../database/embedded/data-folders';
import { errorCode } from '../database/embedded/startup-failures';
import { SecretBox, type SecretKeys } from '../core/secret-box';
import type { Environment } from '../config/environment';

/** Where the keys that seal access secrets are from. It can be told to other processes. */
export interface KeySource {
  /** In base64; the first seals, and each opens. */
  readonly keys: readonly string[];
  /** The file that holds them, where it is not the environment that does: it is read again and again. */
  readonly file?: string;
}

type Settings = Pick<Environment, 'SECRETS_KEY' | 'SECRETS_KEY_OTHERS'>;

/** The file of the data folder that holds the keys, where SECRETS_KEY does not. */
export const keyFileIn = (dataDir: string): string => join(dataDir, 'secrets.key');

const ofBase64 = (text: string): Buffer => Buffer.from(text, 'base64');

/**
 * The keys that seal access secrets: those of the environment, or one that is made once and kept in the data folder.
 * @throws StartupError if the kept key cannot be read or written, or if other users may do so
 */
export function keySource(settings: Settings, dataDir: string, note: (sentence: string) => void): KeySource {
  const configured = configuredKeys(settings);
  if (configured) return configured;
  const file = keyFileIn(dataDir);
  try {
    // Only the data folder itself is private; folders made above it have the permissions of the umask.
    if (mkdirSync(dataDir, { recursive: true }) !== undefined) chmodSync(dataDir, 0o700);
    requirePrivateFolder(dataDir);
    removeDrafts(file);
    const made = randomBytes(32).toString('base64');
    // Complete before it has its name, and only if nothing has it: of two that start at once, both read the same.
    const draft = `${file}.${String(process.pid)}`;
    try {
      writeFileSync(draft, made, { mode: 0o600, flush: true });
      linkSync(draft, file);
      syncFolder(dataDir);
    } finally {
      rmSync(draft, { force: true });
    }
    note(`A key for access secrets was made in ${file}: keep a copy, or set SECRETS_KEY.`);
    return { keys: [made], file };
  } catch (error) {
    if (error instanceof StartupError) throw error;
    if (errorCode(error) !== 'EEXIST')
      throw new StartupError(
        `The key for access secrets cannot be kept in ${file}: set SECRETS_KEY or DATA_DIR.`,
        {
          cause: error,
        },
      );
  }
  requirePrivateFile(file);
  return { keys: keysIn(file).map((key) => key.toString('base64')), file };
}

/** A group may read it: the service's, where the key belongs to root. */
function requirePrivateFile(file: string): void {
  // Windows has no such permissions.
  if (process.platform === 'win32' || (statSync(file).mode & 0o027) === 0) return;
  throw new StartupError(`Other users may read or change ${file}: run "chmod g-w,o-rwx ${file}".`);
}

/**
 * The keys that seal access secrets, where there are any: none is made.
 * @throws StartupError if the kept ones cannot be read
 */
export function keptKeys(settings: Settings, dataDir: string): KeySource | undefined {
  const configured = configuredKeys(settings);
  if (configured) return configured;
  const file = keyFileIn(dataDir);
  return existsSync(file) ? { keys: keysIn(file).map((key) => key.toString('base64')), file } : undefined;
}

/** What seals and opens with these keys, and follows their file. */
export function boxOf({ keys, file }: KeySource): SecretBox {
  const [first, ...others] = keys.map(ofBase64);
  if (!first) throw new Error('there is no key to seal with');
  return new SecretBox([first, ...others], file === undefined ? undefined : () => keysBeingReplaced(file));
}

/**
 * Replaces the keys in a file atomically. The file keeps its owner, its group and its permissions.
 * @throws StartupError if it cannot be written
 */
export function replaceKeys(file: string, keys: SecretKeys): void {
  const draft = `${file}.${String(process.pid)}`;
  try {
    removeDrafts(file);
    writeFileSync(draft, keys.map((key) => key.toString('base64')).join('\n'), { mode: 0o600, flush: true });
    // The command may run as another user than the service, which reads the file, perhaps through its group.
    const { uid, gid, mode } = statSync(file);
    chownSync(draft, uid, gid);
    chmodSync(draft, mode & 0o777);
    renameSync(draft, file);
    // Before anything is sealed with a new one.
    syncFolder(dirname(file));
  } catch (error) {
    rmSync(draft, { force: true });
    throw new StartupError(`The keys for access secrets cannot be written to ${file}.`, { cause: error });
  }
}

/**
 * The keys that a file holds, one on a line.
 * @throws StartupError if they are none
 */
export function keysIn(file: string): SecretKeys {
  const [first, ...others] = readFileSync(file, 'utf8').trim().split('\n').map(ofBase64);
  if (!first || [first, ...others].some(({ length }) => length !== 32))
    throw new StartupError(`The key for access secrets in ${file} is damaged: restore it.`);
  return [first, ...others];
}

function configuredKeys({ SECRETS_KEY, SECRETS_KEY_OTHERS }: Settings): KeySource | undefined {
  return SECRETS_KEY === undefined ? undefined : { keys: [SECRETS_KEY, ...(SECRETS_KEY_OTHERS ?? [])] };
}

/** Undefined if it cannot be read: a service goes on with what it knows. */
function keysBeingReplaced(file: string): SecretKeys | undefined {
  try {
    return keysIn(file);
  } catch {
    return undefined;
  }
}
