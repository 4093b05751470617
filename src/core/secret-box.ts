import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { InventoryError } from './errors/inventory-error';

/** A sealed text. */
export interface SealedSecret {
  /** Tells the key, not what it is. */
  readonly key_fingerprint: string;
  readonly initialisation_vector: Buffer;
  readonly authentication_tag: Buffer;
  readonly content: Buffer;
}

/** Keys of 32 bytes each: the first seals, and every one of them opens what it has sealed. */
export type SecretKeys = readonly [Buffer, ...Buffer[]];

const ALGORITHM = 'aes-256-gcm';
/** Without it, Node would accept a tag that was shortened to four bytes. */
const WHOLE_TAG = { authTagLength: 16 };

/** In milliseconds: so long after keys were replaced, at the latest, the new one seals. */
export const KEY_RELOAD_SECONDS = 1_000;

/** The injection token of the `SecretBox`. */
export const SECRET_BOX = Symbol('secret box');

/** Tells a key from others. */
export const fingerprintOf = (key: Buffer): string =>
  createHash('sha256').update('muster secrets key').update(key).digest('hex').slice(0, 16);

/** Seals texts with AES-256-GCM. Each is bound to where it belongs, so that a row copied elsewhere does not open. */
export class SecretBox {
  private keys = new Map<string, Buffer>();
  private sealing!: { readonly fingerprint: string; readonly key: Buffer };
  private seenAt = -Infinity;

  /**
   * @param keys what it begins with
   * @param reread the keys as they are by now, where they can be replaced while the process runs; undefined if they
   * cannot be read: those of before then stay
   */
  constructor(
    keys: SecretKeys,
    private readonly reread?: () => SecretKeys | undefined,
  ) {
    this.use(keys);
    // They may have been replaced since they were read.
    this.seenAt = -Infinity;
  }

  /** Tells the key that seals by now. */
  get fingerprint(): string {
    if (this.reread && performance.now() - this.seenAt >= KEY_RELOAD_SECONDS) this.look();
    return this.sealing.fingerprint;
  }

  /** Tells the keys that open. */
  get fingerprints(): string[] {
    this.look();
    return [...this.keys.keys()];
  }

  /** @param belongsTo its project, say: what opens it has to name the same */
  seal(text: string, belongsTo: string): SealedSecret {
    const key_fingerprint = this.fingerprint;
    const initialisation_vector = randomBytes(12);
    const cipher = createCipheriv(ALGORITHM, this.sealing.key, initialisation_vector, WHOLE_TAG);
    cipher.setAAD(Buffer.from(belongsTo));
    const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return { key_fingerprint, initialisation_vector, authentication_tag: cipher.getAuthTag(), content };
  }

  /** Whether it was sealed with a key that this deployment has. */
  opens({ key_fingerprint }: SealedSecret): boolean {
    return this.keyOf(key_fingerprint) !== undefined;
  }

  /** @throws InventoryError 503 if it was sealed with another key than this deployment has */
  open(sealed: SealedSecret, belongsTo: string): string {
    const key = this.keyOf(sealed.key_fingerprint);
    if (!key)
      throw new InventoryError(
        'unavailable',
        'This was encrypted with a key that this deployment does not have.',
        [],
        { 'retry-after': '60' },
      );
    const decipher = createDecipheriv(ALGORITHM, key, sealed.initialisation_vector, WHOLE_TAG);
    decipher.setAAD(Buffer.from(belongsTo));
    decipher.setAuthTag(sealed.authentication_tag);
    return Buffer.concat([decipher.update(sealed.content), decipher.final()]).toString('utf8');
  }

  /** Another process may seal with a key already that this one has not seen. */
  private keyOf(fingerprint: string): Buffer | undefined {
    if (!this.keys.has(fingerprint)) this.look();
    return this.keys.get(fingerprint);
  }

  private look(): void {
    const keys = this.reread?.();
    if (keys) this.use(keys);
  }

  private use(keys: SecretKeys): void {
    this.keys = new Map(keys.map((key) => [fingerprintOf(key), key]));
    this.sealing = { fingerprint: fingerprintOf(keys[0]), key: keys[0] };
    this.seenAt = performance.now();
  }
}
