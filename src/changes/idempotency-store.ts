import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Principal, RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import type { Transaction } from '../database/database';
import { sql, type Sql } from '../database/sql';
import {
  IDEMPOTENCY_LIMITS,
  IdempotencyQuota,
  RESPONSE_TTL,
  type IdempotencyLimits,
} from './idempotency-quota';
import { SECRET_BOX, type SecretBox, type SealedSecret } from '../core/secret-box';

/** What a piece of work answered, now or when it was done. */
export interface IdempotentResult<T> {
  readonly result: T;
  /** Whether it was done before. */
  readonly replayed: boolean;
}

/** What is sealed of a request that was answered. */
interface Stored<T> {
  readonly fingerprint: string;
  /** What was hidden from whoever it was answered to. */
  readonly hiding: string;
  readonly result: T;
}

/** Of answers that were kept long enough, each new one takes so many away. */
const REMOVED_AT_A_TIME = 20;

/**
 * The answers to requests that may come again. An answer is stored in the transaction of what it tells of: either both
 * are there, or neither. It is sealed, because some answers hold what is shown once, or not to everybody.
 */
@Injectable()
export class IdempotencyStore {
  private readonly userQuota: IdempotencyQuota | undefined;

  /** The commands have neither a box nor limits: none of their writes has an `Idempotency-Key`. */
  constructor(
    @Optional() @Inject(SECRET_BOX) private readonly box?: SecretBox,
    @Optional() @Inject(IDEMPOTENCY_LIMITS) limits?: IdempotencyLimits,
  ) {
    this.userQuota = limits && new IdempotencyQuota(limits);
  }

  /**
   * Does a request's work, unless it was done before: then it gives the result that it had. Of two that come at the
   * same time the second waits for the first, and does the work if the first fails.
   * @param work its result must be plain JSON
   * @throws InventoryError 409 if another request came with the same key, or if its answer is not to be shown or cannot
   * be read any more; 429 if as much is stored for the user as may be: then nothing is done
   */
  async execute<T>(
    ctx: RequestContext,
    tx: Transaction,
    work: () => Promise<T>,
  ): Promise<IdempotentResult<T>> {
    if (!ctx.idempotency) return { result: await work(), replayed: false };
    const { key } = ctx.idempotency;
    const fingerprint = ctx.idempotency.fingerprint();
    const earlier = await this.claim<T>(ctx, tx, key);
    if (earlier !== undefined) return again(ctx, earlier, fingerprint);
    await this.quota.assertAvailable(ctx, tx);
    const stored: Stored<T> = { fingerprint, hiding: hidingOf(ctx), result: await work() };
    const text = JSON.stringify(stored);
    await this.store(ctx, tx, key, text);
    // Out of the same text as every later answer, so that none can differ from the first.
    return { result: (JSON.parse(text) as Stored<T>).result, replayed: false };
  }

  /** Takes the key until the transaction ends. @returns what is stored under it; undefined if it was free */
  private async claim<T>(ctx: RequestContext, tx: Transaction, key: string): Promise<Stored<T> | undefined> {
    // Waits for whoever has the key by now. What is kept too long is taken over as if it were not there.
    const claimed = await tx.execute(sql`
      INSERT INTO idempotency_keys AS k (project_id, user_id, key)
      VALUES (${ctx.projectId}, ${ctx.principal.userId}, ${key})
      ON CONFLICT (project_id, user_id, key) DO UPDATE SET created_at = excluded.created_at, answer = NULL
        WHERE k.created_at <= excluded.created_at - ${RESPONSE_TTL}`);
    if (claimed === 1) return undefined;
    const [row] = await tx.rows<{ answer: Buffer | null }>(
      sql`SELECT k.answer FROM idempotency_keys k WHERE ${isOf(ctx, key)}`,
    );
    if (!row?.answer) throw new Error('a request was answered and its answer is not stored');
    return this.opened(ctx, key, row.answer);
  }

  private opened<T>(ctx: RequestContext, key: string, answer: Buffer): Stored<T> {
    const sealed = unpacked(answer);
    // Sent again, it would be done a second time; to wait does not help, for the key may be gone for good.
    if (!this.sealing.canOpen(sealed))
      throw refused('was the key of a request that was done; its answer cannot be read any more');
    return JSON.parse(this.sealing.open(sealed, ownerOf(ctx, key))) as Stored<T>;
  }

  private async store(ctx: RequestContext, tx: Transaction, key: string, answer: string): Promise<void> {
    const bytes = packed(this.sealing.seal(answer, ownerOf(ctx, key)));
    const sealed = bytes.toString('base64');
    this.quota.add(ctx, bytes.length);
    await tx.execute(
      sql`UPDATE idempotency_keys k SET answer = decode(${sealed}, 'base64') WHERE ${isOf(ctx, key)}`,
    );
    // Skips what others hold, who are about to take it over or to remove it themselves. Looked up apart from the removal:
    // within it, PostgreSQL may look again for each row, and find others each time.
    await tx.execute(sql`
      WITH past AS MATERIALIZED (
        SELECT o.user_id, o.key FROM idempotency_keys o
        WHERE o.project_id = ${ctx.projectId} AND o.created_at <= now() - ${RESPONSE_TTL}
        ORDER BY o.created_at LIMIT ${REMOVED_AT_A_TIME} FOR UPDATE SKIP LOCKED)
      DELETE FROM idempotency_keys k USING past
      WHERE k.project_id = ${ctx.projectId} AND k.user_id = past.user_id AND k.key = past.key`);
  }

  private get quota(): IdempotencyQuota {
    if (!this.userQuota) throw new Error('there are no limits for stored answers');
    return this.userQuota;
  }

  private get sealing(): SecretBox {
    if (!this.box) throw new Error('there is nothing to seal answers with');
    return this.box;
  }
}

/** The result that a request had, given to one that has come. @throws InventoryError 409 */
function again<T>(
  ctx: RequestContext,
  { fingerprint, hiding, result }: Stored<T>,
  asked: string,
): IdempotentResult<T> {
  if (fingerprint !== asked) throw refused('was the key of another request within the last 24 hours');
  if (!ctx.visibility.seesEverything && hiding !== hidingOf(ctx))
    throw refused(
      'was the key of a request that was done; its answer may show variables that are private by now',
    );
  return { result, replayed: true };
}

const hidingOf = (ctx: RequestContext): string => JSON.stringify(ctx.visibility);

const refused = (message: string): InventoryError =>
  new InventoryError('conflict', `Idempotency-Key: ${message}`, [{ field: 'Idempotency-Key', message }]);

/** An answer that is stored, with whose it is. */
export interface StoredResponseRow {
  readonly project_id: string;
  readonly user_id: number;
  readonly key: string;
  readonly answer: Buffer;
}

/** The key that sealed a stored answer is told by so many bytes at its beginning. */
export const RESPONSE_FINGERPRINT_BYTES = 8;

/** A stored answer, sealed anew with the key that seals by now. @throws InventoryError 503 if no key opens it */
export function resealResponse(
  box: SecretBox,
  { project_id, user_id, key, answer }: StoredResponseRow,
): Buffer {
  const owner = ownerOf({ projectId: project_id, principal: { userId: user_id } }, key);
  return packed(box.seal(box.open(unpacked(answer), owner), owner));
}

/** Removes what is stored for a project that goes away. */
export async function deleteStoredResponses(tx: Transaction, projectId: string): Promise<void> {
  await tx.execute(sql`DELETE FROM idempotency_keys WHERE project_id = ${projectId}`);
}

const isOf = (ctx: RequestContext, key: string): Sql =>
  sql`k.project_id = ${ctx.projectId} AND k.user_id = ${ctx.principal.userId} AND k.key = ${key}`;

type Owner = Pick<RequestContext, 'projectId'> & {
  readonly principal: { readonly userId: Principal['userId'] };
};

/** Whose answer it is. In another's row it does not open. */
const ownerOf = ({ projectId, principal }: Owner, key: string): string =>
  JSON.stringify(['stored answer', projectId, principal.userId, key]);

const VECTOR_BYTES = 12;
const TAG_BYTES = 16;

/** Everything of what is sealed in one column. */
const packed = (sealed: SealedSecret): Buffer =>
  Buffer.concat([
    Buffer.from(sealed.key_fingerprint, 'hex'),
    sealed.initialisation_vector,
    sealed.authentication_tag,
    sealed.content,
  ]);

function unpacked(bytes: Buffer): SealedSecret {
  const vectorEnd = RESPONSE_FINGERPRINT_BYTES + VECTOR_BYTES;
  return {
    key_fingerprint: bytes.toString('hex', 0, RESPONSE_FINGERPRINT_BYTES),
    initialisation_vector: bytes.subarray(RESPONSE_FINGERPRINT_BYTES, vectorEnd),
    authentication_tag: bytes.subarray(vectorEnd, vectorEnd + TAG_BYTES),
    content: bytes.subarray(vectorEnd + TAG_BYTES),
  };
}
