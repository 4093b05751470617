import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new API key: `mst_<key id>_<secret>`. Only the hash is stored; the key itself is shown once. */
export interface NewApiKey {
  readonly key: string;
  readonly keyId: string;
  readonly secretHash: Buffer;
}

/** A key as a client sends it. */
interface PresentedKey {
  readonly keyId: string;
  readonly secret: string;
}

const FORM = /^mst_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

const ID_FORM = /^[0-9a-f]{16}$/;

/** Also where its `_` is escaped, as in a URL, and where it is not whole. */
const IN_PATH = /mst(?:_|%5f)[0-9a-f]{16}(?:_|%5f)[^/]*/gi;

/** SHA-256 is enough where the secret has 256 random bits: there is nothing to guess. */
const hash = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export function newApiKey(): NewApiKey {
  const keyId = randomBytes(8).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  return { key: `mst_${keyId}_${secret}`, keyId, secretHash: hash(secret) };
}

/** Undefined for what is no key of Muster's. */
export function parseApiKey(text: string): PresentedKey | undefined {
  const [, keyId, secret] = FORM.exec(text) ?? [];
  return keyId === undefined || secret === undefined ? undefined : { keyId, secret };
}

/** Whether a text can be the id of a key: what is not may be a whole key, and must not be told again. */
export const isKeyId = (text: string): boolean => ID_FORM.test(text);

/** A path without the keys that somebody has taken for their ids. */
export const withoutKeys = (path: string): string => path.replace(IN_PATH, 'mst_…');

/** Compares in constant time. */
export function secretMatches(secret: string, secretHash: Buffer): boolean {
  const presented = hash(secret);
  return presented.length === secretHash.length && timingSafeEqual(presented, secretHash);
}
