import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { InventoryError } from './errors';

/** An encrypted text. */
export interface SealedSecret {
  /** Identifies the key without revealing it. */
  readonly key_fingerprint: string;
  readonly initialisation_vector: Buffer;
  readonly authentication_tag: Buffer;
  readonly content: Buffer;
}

/** Keys of 32 bytes each. The first one encrypts; all of them decrypt. */
export type SecretKeys = readonly [Buffer, ...Buffer[]];

const ALGORITHM = 'aes-256-gcm';
/** Without it, Node accepts tags that are truncated to four bytes. */
const CIPHER_OPTIONS = { authTagLength: 16 };

/** How long the key that encrypts is used before the keys are read again. */
export const KEY_RELOAD_INTERVAL_MS = 1_000;

/** The injection token of the `SecretBox`. */
export const SECRET_BOX = Symbol('secret box');

/** Identifies a key. */
export const fingerprintOf = (key: Buffer): string =>
  createHash('sha256').update('muster secrets key').update(key).digest('hex').slice(0, 16);

/** Encrypts texts with AES-256-GCM. Each is bound to its owner, so that a row copied elsewhere cannot be decrypted. */
export class SecretBox {
  private keys = new Map<string, Buffer>();
  private sealing!: { readonly fingerprint: string; readonly key: Buffer };
  private loadedAt = -Infinity;

  /**
   * @param keys the initial keys
   * @param reread reads the keys again, if they can be replaced while the process runs. If it returns undefined, the
   * current keys are used further
   */
  constructor(
    keys: SecretKeys,
    private readonly reread?: () => SecretKeys | undefined,
  ) {
    this.use(keys);
    // The keys can have been replaced since they were read.
    this.loadedAt = -Infinity;
  }

  /** The fingerprint of the key that currently encrypts. */
  get fingerprint(): string {
    if (this.reread && performance.now() - this.loadedAt >= KEY_RELOAD_INTERVAL_MS) this.reload();
    return this.sealing.fingerprint;
  }

  /** The fingerprints of all keys. */
  get fingerprints(): string[] {
    this.reload();
    return [...this.keys.keys()];
  }

  /** @param belongsTo the owner, for example the project. `open` requires the same value */
  seal(text: string, belongsTo: string): SealedSecret {
    const key_fingerprint = this.fingerprint;
    const initialisation_vector = randomBytes(12);
    const cipher = createCipheriv(ALGORITHM, this.sealing.key, initialisation_vector, CIPHER_OPTIONS);
    cipher.setAAD(Buffer.from(belongsTo));
    const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return { key_fingerprint, initialisation_vector, authentication_tag: cipher.getAuthTag(), content };
  }

  /** Whether this deployment has the key. */
  canOpen({ key_fingerprint }: SealedSecret): boolean {
    return this.findKey(key_fingerprint) !== undefined;
  }

  /** @throws InventoryError 503 if this deployment does not have the key */
  open(sealed: SealedSecret, belongsTo: string): string {
    const key = this.findKey(sealed.key_fingerprint);
    if (!key)
      throw new InventoryError(
        'unavailable',
        'The stored value was encrypted with a key that this deployment does not have.',
        [],
        { 'retry-after': '60' },
      );
    const decipher = createDecipheriv(ALGORITHM, key, sealed.initialisation_vector, CIPHER_OPTIONS);
    decipher.setAAD(Buffer.from(belongsTo));
    decipher.setAuthTag(sealed.authentication_tag);
    return Buffer.concat([decipher.update(sealed.content), decipher.final()]).toString('utf8');
  }

  /** Reads the keys again for an unknown fingerprint, because another process can already use a newer key. */
  private findKey(fingerprint: string): Buffer | undefined {
    if (!this.keys.has(fingerprint)) this.reload();
    return this.keys.get(fingerprint);
  }

  private reload(): void {
    const keys = this.reread?.();
    if (keys) this.use(keys);
  }

  private use(keys: SecretKeys): void {
    this.keys = new Map(keys.map((key) => [fingerprintOf(key), key]));
    this.sealing = { fingerprint: fingerprintOf(keys[0]), key: keys[0] };
    this.loadedAt = performance.now();
  }
}

/** A sealed text begins with the fingerprint of its key, which has this many bytes. */
export const FINGERPRINT_BYTES = 8;

const VECTOR_BYTES = 12;
const TAG_BYTES = 16;

/** A sealed text as one value. */
export const packSealed = (sealed: SealedSecret): Buffer =>
  Buffer.concat([
    Buffer.from(sealed.key_fingerprint, 'hex'),
    sealed.initialisation_vector,
    sealed.authentication_tag,
    sealed.content,
  ]);

export function unpackSealed(bytes: Buffer): SealedSecret {
  const vectorEnd = FINGERPRINT_BYTES + VECTOR_BYTES;
  return {
    key_fingerprint: bytes.toString('hex', 0, FINGERPRINT_BYTES),
    initialisation_vector: bytes.subarray(FINGERPRINT_BYTES, vectorEnd),
    authentication_tag: bytes.subarray(vectorEnd, vectorEnd + TAG_BYTES),
    content: bytes.subarray(vectorEnd + TAG_BYTES),
  };
}
