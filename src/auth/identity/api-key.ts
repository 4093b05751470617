import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new API key: `mst_<key id>_<secret>`. The key is shown once. Only the hash of its secret is stored. */
export interface NewApiKey {
  readonly key: string;
  readonly keyId: string;
  readonly secretHash: Buffer;
}

/** The parts of a key that a client sends. */
interface ParsedKey {
  readonly keyId: string;
  readonly secret: string;
}

const KEY_PATTERN = /^mst_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

const KEY_ID_PATTERN = /^[0-9a-f]{16}$/;

/** Matches keys in a path, also with `_` escaped as in a URL, and with a truncated secret. */
const KEY_IN_PATH = /mst(?:_|%5f)[0-9a-f]{16}(?:_|%5f)[^/]*/gi;

/** SHA-256 is sufficient because the secret has 256 random bits, so it cannot be guessed. */
const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export function generateApiKey(): NewApiKey {
  const keyId = randomBytes(8).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  return { key: `mst_${keyId}_${secret}`, keyId, secretHash: hashSecret(secret) };
}

/** @returns undefined if the text is not an API key of Muster */
export function parseApiKey(text: string): ParsedKey | undefined {
  const [, keyId, secret] = KEY_PATTERN.exec(text) ?? [];
  return keyId === undefined || secret === undefined ? undefined : { keyId, secret };
}

/** Whether a text can be the id of a key. Any other text could be a whole key, so it must not be logged. */
export const isKeyId = (text: string): boolean => KEY_ID_PATTERN.test(text);

/** Removes whole keys that a client has sent instead of key ids. */
export const redactKeys = (path: string): string => path.replace(KEY_IN_PATH, 'mst_…');

/** Compares in constant time. */
export function isSecretValid(secret: string, secretHash: Buffer): boolean {
  const givenHash = hashSecret(secret);
  return givenHash.length === secretHash.length && timingSafeEqual(givenHash, secretHash);
}
