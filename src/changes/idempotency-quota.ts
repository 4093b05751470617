import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import type { Transaction } from '../database/database';
import { sql } from '../database/sql';

/** How much may be stored for a user in a project within 24 hours. */
export interface IdempotencyLimits {
  readonly maxResponses: number;
  /** Of all responses. The one that exceeds the limit is still stored: its size is not known before the work. */
  readonly maxBytes: number;
}

/** How long a response is stored. */
export const RESPONSE_TTL = sql`interval '24 hours'`;

interface Amount {
  responses: number;
  bytes: number;
}

/** The usage of one user. */
interface Usage {
  /** What the database held at `measuredAt`. */
  readonly measured: Amount;
  /** What this process has stored since. */
  readonly added: Amount;
  /** Milliseconds since the epoch. */
  readonly measuredAt: number;
  /** When the oldest response expires, in milliseconds since the epoch. Infinity if none is stored. */
  readonly expiresAt: number;
}

/** After how many milliseconds the database is queried again. */
const MAX_USAGE_AGE_MS = 60_000;

/** How many users' usage is cached. */
const MAX_USERS = 10_000;

/**
 * Rejects a request whose user has reached the limit of stored responses. Adding up ten thousand responses takes the
 * database about ten milliseconds. A process therefore does not measure at every request, but after it has stored one
 * percent of a limit, after a minute, and when the oldest response expires. Each process can exceed a limit by one
 * percent, and by the responses to its requests in progress.
 */
export class IdempotencyQuota {
  private readonly users = new LRUCache<string, Usage>({ max: MAX_USERS });

  constructor(private readonly limits: IdempotencyLimits) {}

  /** Called before the work of a request begins. @throws InventoryError 429 */
  async assertAvailable(ctx: RequestContext, tx: Pick<Transaction, 'rows'>): Promise<void> {
    const user = userOf(ctx);
    let usage = this.users.get(user);
    if (!usage || this.isStale(usage)) {
      usage = await measure(ctx, tx);
      this.users.set(user, usage);
    }
    const { measured, expiresAt } = usage;
    if (measured.responses < this.limits.maxResponses && measured.bytes < this.limits.maxBytes) return;
    const message = `the limit of ${String(this.limits.maxResponses)} stored responses or ${String(this.limits.maxBytes)} bytes per user within 24 hours is reached; retry later, or send the request without this header`;
    const seconds = Math.max(1, Math.ceil((expiresAt - Date.now()) / 1000));
    throw new InventoryError(
      'too_many_requests',
      `Idempotency-Key: ${message}`,
      [{ field: 'Idempotency-Key', code: 'limit_exceeded', message }],
      { 'retry-after': String(seconds) },
    );
  }

  /**
   * Called when a response is stored. If its transaction is rolled back, the count is too high until the next
   * measuring.
   */
  add(ctx: RequestContext, bytes: number): void {
    const added = this.users.get(userOf(ctx))?.added;
    if (!added) return;
    added.responses++;
    added.bytes += bytes;
  }

  private isStale({ added, measuredAt, expiresAt }: Usage): boolean {
    return (
      added.responses * 100 > this.limits.maxResponses ||
      added.bytes * 100 > this.limits.maxBytes ||
      Date.now() - measuredAt > MAX_USAGE_AGE_MS ||
      Date.now() >= expiresAt
    );
  }
}

const userOf = ({ projectId, principal }: RequestContext): string =>
  `${projectId} ${String(principal.userId)}`;

/** Reads the lengths of the user's responses only. Those of transactions in progress are not visible. */
async function measure(ctx: RequestContext, tx: Pick<Transaction, 'rows'>): Promise<Usage> {
  const [row] = await tx.rows<Amount & { seconds: number | null }>(sql`
    SELECT count(*) AS responses, coalesce(sum(octet_length(k.answer)), 0)::bigint AS bytes,
      extract(epoch FROM min(k.created_at) + ${RESPONSE_TTL} - now())::float8 AS seconds
    FROM idempotency_keys k
    WHERE k.project_id = ${ctx.projectId} AND k.user_id = ${ctx.principal.userId} AND k.answer IS NOT NULL
      AND k.created_at > now() - ${RESPONSE_TTL}`);
  const { responses = 0, bytes = 0, seconds = null } = row ?? {};
  const measuredAt = Date.now();
  return {
    measured: { responses, bytes },
    added: { responses: 0, bytes: 0 },
    measuredAt,
    expiresAt: seconds === null ? Infinity : measuredAt + seconds * 1000,
  };
}
