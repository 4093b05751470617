import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../shared/errors/startup-error';

/**
 * The key that seals access secrets: SECRETS_KEY, or one that is made once and kept in the data folder.
 * @throws StartupError if the kept key cannot be read or written
 */
export function secretsKey(
  configured: string | undefined,
  dataDir: string,
  note: (sentence: string) => void,
): Buffer {
  if (configured !== undefined) return Buffer.from(configured, 'base64');
  const file = join(dataDir, 'secrets.key');
  try {
    mkdirSync(dataDir, { recursive: true });
    const made = randomBytes(32);
    // Complete before it has its name, and only if nothing has it: of two that start at once, both read the same.
    const draft = `${file}.${String(process.pid)}`;
    try {
      writeFileSync(draft, made.toString('base64'), { mode: 0o600 });
      linkSync(draft, file);
    } finally {
      rmSync(draft, { force: true });
    }
    note(`A key for access secrets was made in ${file}: keep a copy, or set SECRETS_KEY.`);
    return made;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
      throw new StartupError(
        `The key for access secrets cannot be kept in ${file}: set SECRETS_KEY or DATA_DIR.`,
        {
          cause: error,
        },
      );
  }
  const kept = Buffer.from(readFileSync(file, 'utf8'), 'base64');
  if (kept.length !== 32)
    throw new StartupError(`The key for access secrets in ${file} is damaged: restore it.`);
  return kept;
}
