import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Principal, RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import type { Transaction } from '../database/database';
import { sql, type Sql } from '../database/sql';
import { Environment } from '../config/environment';
import { packSealed, SECRET_BOX, unpackSealed, type SecretBox } from '../core/secret-box';
import { IdempotencyQuota, RESPONSE_TTL } from './idempotency-quota';

/** The result of a request's work, from this execution or from an earlier one. */
export interface IdempotentResult<T> {
  readonly result: T;
  /** Whether the result is from an earlier execution. */
  readonly replayed: boolean;
}

/** What is sealed and stored for a completed request. */
interface Stored<T> {
  readonly fingerprint: string;
  /** What was hidden from the caller that got the response. */
  readonly hiding: string;
  readonly result: T;
}

/** How many expired responses are deleted whenever one is stored. */
const EXPIRED_BATCH_SIZE = 20;

/**
 * Stores the responses to requests with an `Idempotency-Key`. A response is stored in the transaction of its change, so
 * both are committed or neither is. It is encrypted, because some responses contain secrets or private variables.
 */
@Injectable()
export class IdempotencyStore {
  private readonly quota: IdempotencyQuota;

  /** Commands have no secret box: their writes never have an `Idempotency-Key`. */
  constructor(
    environment: Environment,
    @Optional() @Inject(SECRET_BOX) private readonly box?: SecretBox,
  ) {
    this.quota = new IdempotencyQuota({
      maxResponses: environment.IDEMPOTENCY_MAX_ANSWERS,
      maxBytes: environment.IDEMPOTENCY_MAX_BYTES,
    });
  }

  /**
   * Does a request's work, or returns the stored result if the work was done before. Of two concurrent requests with
   * the same key, the second waits for the first, and does the work if the first fails.
   * @param work its result must be plain JSON
   * @throws InventoryError 409 if a different request used the key, or if the stored response must not be shown or
   * cannot be read any more; 429 if the user has reached the limit of stored responses
   */
  async execute<T>(
    ctx: RequestContext,
    tx: Transaction,
    work: () => Promise<T>,
  ): Promise<IdempotentResult<T>> {
    if (!ctx.idempotency) return { result: await work(), replayed: false };
    const { key, fingerprint } = ctx.idempotency;
    const earlier = await this.claim<T>(ctx, tx, key);
    if (earlier !== undefined) return replay(ctx, earlier, fingerprint);
    await this.quota.assertAvailable(ctx, tx);
    const stored: Stored<T> = { fingerprint, hiding: hidingOf(ctx), result: await work() };
    const text = JSON.stringify(stored);
    await this.store(ctx, tx, key, text);
    // Parsed from the stored text, like every replay, so that the first response cannot differ from the replays.
    return { result: (JSON.parse(text) as Stored<T>).result, replayed: false };
  }

  /** Locks the key until the transaction ends. @returns what is stored for it; undefined if it was unused or expired */
  private async claim<T>(ctx: RequestContext, tx: Transaction, key: string): Promise<Stored<T> | undefined> {
    // Waits for a transaction that holds the key. An expired row is reused.
    const [expiry] = await tx.rows<{ time: string }>(sql`SELECT now() - ${RESPONSE_TTL} AS time`);
    // A parameter, because a distributed database compares only with constants here.
    const claimed = await tx.execute(sql`
      INSERT INTO idempotency_keys AS k (project_id, user_id, key)
      VALUES (${ctx.projectId}, ${ctx.principal.userId}, ${key})
      ON CONFLICT (project_id, user_id, key) DO UPDATE SET created_at = excluded.created_at, answer = NULL
        WHERE k.created_at <= ${expiry?.time ?? null}`);
    if (claimed === 1) return undefined;
    const [row] = await tx.rows<{ answer: Buffer | null }>(
      sql`SELECT k.answer FROM idempotency_keys k WHERE ${isOf(ctx, key)}`,
    );
    if (!row?.answer) throw new Error('the response of a completed request is not stored');
    return this.open(ctx, key, row.answer);
  }

  private open<T>(ctx: RequestContext, key: string, bytes: Buffer): Stored<T> {
    const sealed = unpackSealed(bytes);
    // Not retryable: executing the work would do it a second time, and the encryption key may be lost.
    if (!this.secretBox.canOpen(sealed))
      throw conflict('was used for a completed request; its response cannot be decrypted any more');
    return JSON.parse(this.secretBox.open(sealed, ownerOf(ctx, key))) as Stored<T>;
  }

  private async store(ctx: RequestContext, tx: Transaction, key: string, text: string): Promise<void> {
    const bytes = packSealed(this.secretBox.seal(text, ownerOf(ctx, key)));
    const sealed = bytes.toString('base64');
    this.quota.add(ctx, bytes.length);
    await tx.execute(
      sql`UPDATE idempotency_keys k SET answer = decode(${sealed}, 'base64') WHERE ${isOf(ctx, key)}`,
    );
    // Skips rows that other transactions have locked: they are about to reuse or delete them. The lookup is
    // materialized, because PostgreSQL could otherwise repeat it for each row and find different rows each time.
    await tx.execute(sql`
      WITH past AS MATERIALIZED (
        SELECT o.user_id, o.key FROM idempotency_keys o
        WHERE o.project_id = ${ctx.projectId} AND o.created_at <= now() - ${RESPONSE_TTL}
        ORDER BY o.created_at LIMIT ${EXPIRED_BATCH_SIZE} FOR UPDATE SKIP LOCKED)
      DELETE FROM idempotency_keys k USING past
      WHERE k.project_id = ${ctx.projectId} AND k.user_id = past.user_id AND k.key = past.key`);
  }

  private get secretBox(): SecretBox {
    if (!this.box) throw new Error('no secret box is configured for stored responses');
    return this.box;
  }
}

/** Returns the stored result to a request with this fingerprint. @throws InventoryError 409 */
function replay<T>(ctx: RequestContext, stored: Stored<T>, fingerprint: string): IdempotentResult<T> {
  if (stored.fingerprint !== fingerprint)
    throw conflict('was used for a different request within the last 24 hours');
  if (!ctx.visibility.seesEverything && stored.hiding !== hidingOf(ctx))
    throw conflict('was used for a completed request; its response may show variables that are private now');
  return { result: stored.result, replayed: true };
}

const hidingOf = (ctx: RequestContext): string => JSON.stringify(ctx.visibility);

const conflict = (message: string): InventoryError =>
  new InventoryError('conflict', `Idempotency-Key: ${message}`, [
    { field: 'Idempotency-Key', code: 'duplicate', message },
  ]);

/** A stored response and its owner. */
export interface StoredResponseRow {
  readonly project_id: string;
  readonly user_id: number;
  readonly key: string;
  readonly answer: Buffer;
}

/** Reencrypts a stored response with the current key. @throws InventoryError 503 if no key decrypts it */
export function resealResponse(
  box: SecretBox,
  { project_id, user_id, key, answer }: StoredResponseRow,
): Buffer {
  const owner = ownerOf({ projectId: project_id, principal: { userId: user_id } }, key);
  return packSealed(box.seal(box.open(unpackSealed(answer), owner), owner));
}

const isOf = (ctx: RequestContext, key: string): Sql =>
  sql`k.project_id = ${ctx.projectId} AND k.user_id = ${ctx.principal.userId} AND k.key = ${key}`;

type Owner = Pick<RequestContext, 'projectId'> & {
  readonly principal: { readonly userId: Principal['userId'] };
};

/** The owner of a response. It is authenticated data: the response cannot be decrypted in another row. */
const ownerOf = ({ projectId, principal }: Owner, key: string): string =>
  JSON.stringify(['stored answer', projectId, principal.userId, key]);
