import { resealResponse, type StoredResponseRow } from '../changes/idempotency-store';
import { InventoryError } from '../core/errors';
import type { Database } from '../database/database';
import { sql } from '../database/sql';
import { FINGERPRINT_BYTES, type SecretBox } from '../core/secret-box';
import {
  isInLegacyFormat,
  openCert,
  sealCert,
  type CertOwner,
  type SealedCert,
} from './access-secret.entity';

/** How much is encrypted with a key. */
export interface SealedWith {
  readonly fingerprint: string;
  readonly secrets: number;
  /** How many of the secrets have the legacy format, which binds them to their project only. */
  readonly legacy_format: number;
  readonly answers: number;
}

/** How much was re-encrypted. */
export interface Resealed {
  readonly secrets: number;
  readonly answers: number;
  /** How many of them used another key before. The others had the legacy format. */
  readonly fromOtherKeys: number;
  /** How much no known key can decrypt. It is not changed. */
  readonly unreadable: number;
}

/** Rows that use another key than the current one, or the legacy format. */
interface OutdatedRows<T> {
  /** Reads a chunk, after the last row of the previous one. */
  readonly readChunk: (after: T | undefined) => Promise<T[]>;
  /** Re-encrypts a row, unless it was changed meanwhile. @returns the number of updated rows: 0 or 1 */
  readonly reseal: (row: T) => Promise<number>;
  readonly usesOtherKey: (row: T) => boolean;
}

type SecretRow = SealedCert & CertOwner & { readonly id: number };

/** In rows. Each can have a megabyte. */
const CHUNK_SIZE = 20;
/** Concurrent writes can use a former key, or change a row first, so the rotation runs in rounds. */
const MAX_ROUNDS = 10;

const NO_PROJECT = '00000000-0000-0000-0000-000000000000';

/**
 * Re-encrypts everything with one key. It can be interrupted and repeated at any time. The content does not change, so
 * it is not a change of the resource.
 */
export class SecretRotation {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  /** The numbers of encrypted rows, by the fingerprints of the keys. */
  async counts(): Promise<SealedWith[]> {
    return this.database.rows<SealedWith & Record<string, unknown>>(sql`
      SELECT fingerprint, sum(secrets)::int8 AS secrets, sum(legacy_format)::int8 AS legacy_format,
        sum(answers)::int8 AS answers FROM (
        SELECT key_fingerprint AS fingerprint, count(*) AS secrets,
          count(*) FILTER (WHERE ${isInLegacyFormat}) AS legacy_format, 0 AS answers
        FROM access_secrets GROUP BY 1
        UNION ALL
        SELECT ${ANSWER_KEY}, 0, 0, count(*) FROM idempotency_keys WHERE answer IS NOT NULL GROUP BY 1) AS sealed
      GROUP BY fingerprint ORDER BY fingerprint`);
  }

  /** Re-encrypts everything that uses another key than the current one, or the legacy format. */
  async reseal(): Promise<Resealed> {
    let [secrets, answers, fromOtherKeys] = [0, 0, 0];
    for (let round = 1; ; round++) {
      const [ofSecrets, ofAnswers] = [await this.resealAll(this.secrets), await this.resealAll(this.answers)];
      secrets += ofSecrets.resealed;
      answers += ofAnswers.resealed;
      fromOtherKeys += ofSecrets.fromOtherKeys + ofAnswers.fromOtherKeys;
      const isDone = ofSecrets.resealed + ofAnswers.resealed === 0;
      if (isDone || round === MAX_ROUNDS)
        return { secrets, answers, fromOtherKeys, unreadable: ofSecrets.unreadable + ofAnswers.unreadable };
    }
  }

  private async resealAll<T>({ readChunk, reseal, usesOtherKey }: OutdatedRows<T>) {
    const count = { resealed: 0, fromOtherKeys: 0, unreadable: 0 };
    let rows = await readChunk(undefined);
    while (rows.length > 0) {
      for (const row of rows) {
        try {
          const resealed = await reseal(row);
          count.resealed += resealed;
          if (usesOtherKey(row)) count.fromOtherKeys += resealed;
        } catch (error) {
          if (!isUnreadable(error)) throw error;
          count.unreadable++;
        }
      }
      rows = await readChunk(rows.at(-1));
    }
    return count;
  }

  private get secrets(): OutdatedRows<SecretRow> {
    return {
      readChunk: (after) =>
        this.database.rows<SecretRow & Record<string, unknown>>(sql`
          SELECT project_id, id, uuid, key_fingerprint, initialisation_vector, authentication_tag, encrypted_cert
          FROM access_secrets
          WHERE (project_id, id) > (${after?.project_id ?? NO_PROJECT}::uuid, ${after?.id ?? 0}::bigint)
            AND (key_fingerprint <> ${this.box.fingerprint} OR ${isInLegacyFormat})
          ORDER BY project_id, id LIMIT ${CHUNK_SIZE}`),
      reseal: async (row) => {
        const sealed = sealCert(this.box, openCert(this.box, row), row);
        const done = await this.database.rows(sql`
          UPDATE access_secrets SET key_fingerprint = ${sealed.key_fingerprint},
            initialisation_vector = ${sealed.initialisation_vector},
            authentication_tag = ${sealed.authentication_tag}, encrypted_cert = ${sealed.encrypted_cert}
          WHERE project_id = ${row.project_id} AND id = ${row.id}
            AND initialisation_vector = ${row.initialisation_vector}
            AND authentication_tag = ${row.authentication_tag}
          RETURNING id`);
        return done.length;
      },
      usesOtherKey: ({ key_fingerprint }) => key_fingerprint !== this.box.fingerprint,
    };
  }

  private get answers(): OutdatedRows<StoredResponseRow> {
    return {
      readChunk: (after) =>
        this.database.rows<StoredResponseRow & Record<string, unknown>>(sql`
          SELECT project_id, user_id, key, answer FROM idempotency_keys
          WHERE (project_id, user_id, key) >
              (${after?.project_id ?? NO_PROJECT}::uuid, ${after?.user_id ?? 0}::bigint, ${after?.key ?? ''})
            AND ${ANSWER_KEY} <> ${this.box.fingerprint}
          ORDER BY project_id, user_id, key LIMIT ${CHUNK_SIZE}`),
      reseal: async (row) => {
        const answer = resealResponse(this.box, row);
        const done = await this.database.rows(sql`
          UPDATE idempotency_keys SET answer = ${answer}
          WHERE project_id = ${row.project_id} AND user_id = ${row.user_id} AND key = ${row.key}
            AND answer = ${row.answer}
          RETURNING user_id`);
        return done.length;
      },
      usesOtherKey: () => true,
    };
  }
}

const ANSWER_KEY = sql`encode(substr(answer, 1, ${FINGERPRINT_BYTES}), 'hex')`;

/** Whether a row cannot be decrypted: its key is missing, or the row was damaged or copied from another one. */
const isUnreadable = (error: unknown): boolean =>
  (error instanceof InventoryError && error.code === 'unavailable') ||
  (error instanceof Error && /unable to authenticate data|Invalid authentication tag/.test(error.message));
