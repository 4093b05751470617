import type { WriteResult } from '../core/change-preview';
import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../changes/change-set';
import { ChangesService } from '../changes/changes.service';
import type { RequestContext } from '../core/context/request-context';
import { toInventoryError } from '../database/errors/database-error-mapping';
import { InventoryError, batchError, type BatchItemError } from '../core/errors';
import { sql } from '../database/sql';
import type { RenderedResource } from './resource-reader';

/** A creation that the caller's roles allow. */
export interface ResourceCreation {
  /** The reason of the change, from the body. */
  readonly note?: string | null | undefined;
  /** A check that takes long, so it runs before the transaction. @throws InventoryError 400 */
  readonly check?: () => Promise<void>;
  /** @throws InventoryError if the creation conflicts with the current inventory */
  readonly create: (change: ChangeSet) => Promise<RenderedResource>;
}

/** Creates one resource, or several in one change. */
@Injectable()
export class CreationService {
  constructor(private readonly changes: ChangesService) {}

  async createOne(
    ctx: RequestContext,
    { note, check, create }: ResourceCreation,
  ): Promise<WriteResult<RenderedResource>> {
    await check?.();
    return this.changes.write(ctx, note, create);
  }

  /**
   * Creates all resources or none, in one change. Without a header, its reason is the first note of an item.
   * @throws InventoryError of the first item that fails, with the details of all items that fail
   */
  async createAll(
    ctx: RequestContext,
    creations: readonly (() => ResourceCreation)[],
  ): Promise<WriteResult<RenderedResource[]>> {
    const allowed = requireAllowed(creations);
    await requireChecked(allowed);
    const note = allowed.find((creation) => (creation.note ?? '') !== '')?.note;
    return this.changes.write(ctx, note, async (change) => {
      const created: RenderedResource[] = [];
      const errors: BatchItemError[] = [];
      for (const [index, { create }] of allowed.entries()) {
        const result = await tryCreate(change, index, create);
        if ('error' in result) errors.push(result);
        else created.push(result);
      }
      if (errors.length > 0) throw batchError(errors);
      return created;
    });
  }
}

/** @throws InventoryError with the details of all items that the roles do not allow */
function requireAllowed(creations: readonly (() => ResourceCreation)[]): ResourceCreation[] {
  const allowed: ResourceCreation[] = [];
  const errors: BatchItemError[] = [];
  for (const [index, creation] of creations.entries()) {
    try {
      allowed.push(creation());
    } catch (error) {
      if (!(error instanceof InventoryError)) throw error;
      errors.push({ index, error });
    }
  }
  if (errors.length > 0) throw batchError(errors);
  return allowed;
}

/** How long (ms) the checks of one request may take together. */
const MAX_CHECK_MS = 20_000;

/** @throws InventoryError with the details of all items whose check fails, 400 if the checks take too long */
async function requireChecked(creations: readonly ResourceCreation[]): Promise<void> {
  const errors: BatchItemError[] = [];
  const deadline = performance.now() + MAX_CHECK_MS;
  for (const [index, { check }] of creations.entries()) {
    if (performance.now() > deadline)
      throw InventoryError.invalid('body', 'takes too long to check: send fewer items at a time');
    try {
      await check?.();
    } catch (error) {
      if (!(error instanceof InventoryError) || error.status >= 500) throw error;
      errors.push({ index, error });
    }
  }
  if (errors.length > 0) throw batchError(errors);
}

/**
 * Creates one resource in a savepoint. If it fails, only this creation is rolled back, and the others are still tried.
 */
async function tryCreate(
  change: ChangeSet,
  index: number,
  create: ResourceCreation['create'],
): Promise<RenderedResource | BatchItemError> {
  await change.tx.execute(sql`SAVEPOINT creation`);
  try {
    const created = await create(change);
    await change.tx.execute(sql`RELEASE SAVEPOINT creation`);
    return created;
  } catch (thrown) {
    const error = thrown instanceof InventoryError ? thrown : toInventoryError(thrown);
    // Retryable and unexpected errors are not caused by a single item.
    if (!error || error.status >= 500) throw thrown;
    await change.tx.execute(sql`ROLLBACK TO SAVEPOINT creation`);
    // Otherwise the savepoint stays open, and the savepoints of later items nest inside it.
    await change.tx.execute(sql`RELEASE SAVEPOINT creation`);
    return { index, error };
  }
}
