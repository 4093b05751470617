import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { InventoryError } from './errors/inventory-error';

/** A sealed text. */
export interface Sealed {
  /** Tells the key, not what it is. */
  readonly key_fingerprint: string;
  readonly initialisation_vector: Buffer;
  readonly authentication_tag: Buffer;
  readonly content: Buffer;
}

const ALGORITHM = 'aes-256-gcm';

/** The injection token of the `SecretBox`. */
export const SECRET_BOX = Symbol('secret box');

/** Seals texts with AES-256-GCM. Each is bound to where it belongs, so that a row copied elsewhere does not open. */
export class SecretBox {
  /** Tells this key from others. */
  readonly fingerprint: string;

  /** @param key 32 bytes */
  constructor(private readonly key: Buffer) {
    this.fingerprint = createHash('sha256')
      .update('muster secrets key')
      .update(key)
      .digest('hex')
      .slice(0, 16);
  }

  /** @param belongsTo its project, say: what opens it has to name the same */
  seal(text: string, belongsTo: string): Sealed {
    const initialisation_vector = randomBytes(12);
    const cipher = createCipheriv(ALGORITHM, this.key, initialisation_vector);
    cipher.setAAD(Buffer.from(belongsTo));
    const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return {
      key_fingerprint: this.fingerprint,
      initialisation_vector,
      authentication_tag: cipher.getAuthTag(),
      content,
    };
  }

  /** Whether it was sealed with the key that this deployment has. */
  opens({ key_fingerprint }: Sealed): boolean {
    return key_fingerprint === this.fingerprint;
  }

  /** @throws InventoryError 503 if it was sealed with another key than this deployment has */
  open(sealed: Sealed, belongsTo: string): string {
    if (!this.opens(sealed))
      throw new InventoryError(
        'unavailable',
        'This was encrypted with a key that this deployment does not have.',
        [],
        { 'retry-after': '60' },
      );
    const decipher = createDecipheriv(ALGORITHM, this.key, sealed.initialisation_vector);
    decipher.setAAD(Buffer.from(belongsTo));
    decipher.setAuthTag(sealed.authentication_tag);
    return Buffer.concat([decipher.update(sealed.content), decipher.final()]).toString('utf8');
  }
}
