import type { WriteResult } from '../core/change-preview';
import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../changes/change-set';
import { ChangesService } from '../changes/changes.service';
import type { RequestContext } from '../core/context/request-context';
import { toInventoryError } from '../database/errors/database-error-mapping';
import { InventoryError } from '../core/errors/inventory-error';
import { batchError, type BatchItemError } from '../core/errors/batch-error';
import { sql } from '../database/sql';
import type { RenderedResource } from './resource-reader';

/** How a resource comes into being, once the roles allow what is asked for. */
export interface ResourceCreation {
  /** The reason of the change in the body. */
  readonly note?: string | null | undefined;
  /** @throws InventoryError what the inventory as it stands says of it */
  readonly create: (change: ChangeSet) => Promise<RenderedResource>;
}

/** Creates resources: one, or several in one change. */
@Injectable()
export class CreationService {
  constructor(private readonly changes: ChangesService) {}

  async createOne(
    ctx: RequestContext,
    { note, create: make }: ResourceCreation,
  ): Promise<WriteResult<RenderedResource>> {
    return this.changes.write(ctx, note, make);
  }

  /**
   * All or none, in one change. Its reason is the first that an item gives, where the header gives none.
   * @throws InventoryError of the first that cannot be, with the details of all that cannot
   */
  async createAll(
    ctx: RequestContext,
    creations: readonly (() => ResourceCreation)[],
  ): Promise<WriteResult<RenderedResource[]>> {
    const allowed = allAllowed(creations);
    const note = allowed.find((creation) => (creation.note ?? '') !== '')?.note;
    return this.changes.write(ctx, note, async (change) => {
      const made: RenderedResource[] = [];
      const faults: BatchItemError[] = [];
      for (const [place, { create: make }] of allowed.entries()) {
        const shown = await orFault(change, place, make);
        if ('error' in shown) faults.push(shown);
        else made.push(shown);
      }
      if (faults.length > 0) throw batchError(faults);
      return made;
    });
  }
}

/** @throws InventoryError with all that the roles do not allow */
function allAllowed(creations: readonly (() => ResourceCreation)[]): ResourceCreation[] {
  const allowed: ResourceCreation[] = [];
  const faults: BatchItemError[] = [];
  for (const [place, creation] of creations.entries()) {
    try {
      allowed.push(creation());
    } catch (error) {
      if (!(error instanceof InventoryError)) throw error;
      faults.push({ index: place, error });
    }
  }
  if (faults.length > 0) throw batchError(faults);
  return allowed;
}

/** A fault takes back nothing but what it is about, so that the others can still be looked at. */
async function orFault(
  change: ChangeSet,
  place: number,
  make: ResourceCreation['create'],
): Promise<RenderedResource | BatchItemError> {
  await change.tx.execute(sql`SAVEPOINT creation`);
  try {
    const made = await make(change);
    await change.tx.execute(sql`RELEASE SAVEPOINT creation`);
    return made;
  } catch (thrown) {
    const error = thrown instanceof InventoryError ? thrown : toInventoryError(thrown);
    // What is to be tried again, and what nobody expects, is not the fault of one of them.
    if (!error || error.status >= 500) throw thrown;
    await change.tx.execute(sql`ROLLBACK TO SAVEPOINT creation`);
    // It would stay otherwise, below those of all later ones.
    await change.tx.execute(sql`RELEASE SAVEPOINT creation`);
    return { index: place, error };
  }
}
