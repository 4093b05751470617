import type { WriteResult } from '../core/change-preview';
import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../changes/change-set';
import { Changes } from '../changes/changes.service';
import type { RequestContext } from '../core/context/request-context';
import { inventoryErrorOfDatabase } from '../database/errors/database-error-mapping';
import { InventoryError } from '../core/errors/inventory-error';
import { faultOfItems, type ItemFault } from '../core/errors/batch-error';
import { sql } from '../database/sql';
import type { Shown } from './resource-reader';

/** How a resource comes into being, once the roles allow what is asked for. */
export interface Creation {
  /** The reason of the change in the body. */
  readonly note?: string | null | undefined;
  /** @throws InventoryError what the inventory as it stands says of it */
  readonly make: (change: ChangeSet) => Promise<Shown>;
}

/** Creates resources: one, or several in one change. */
@Injectable()
export class Creations {
  constructor(private readonly changes: Changes) {}

  async one(ctx: RequestContext, { note, make }: Creation): Promise<WriteResult<Shown>> {
    return this.changes.write(ctx, note, make);
  }

  /**
   * All or none, in one change. Its reason is the first that an item gives, where the header gives none.
   * @throws InventoryError of the first that cannot be, with the details of all that cannot
   */
  async all(ctx: RequestContext, creations: readonly (() => Creation)[]): Promise<WriteResult<Shown[]>> {
    const allowed = allAllowed(creations);
    const note = allowed.find((creation) => (creation.note ?? '') !== '')?.note;
    return this.changes.write(ctx, note, async (change) => {
      const made: Shown[] = [];
      const faults: ItemFault[] = [];
      for (const [place, { make }] of allowed.entries()) {
        const shown = await orFault(change, place, make);
        if ('error' in shown) faults.push(shown);
        else made.push(shown);
      }
      if (faults.length > 0) throw faultOfItems(faults);
      return made;
    });
  }
}

/** @throws InventoryError with all that the roles do not allow */
function allAllowed(creations: readonly (() => Creation)[]): Creation[] {
  const allowed: Creation[] = [];
  const faults: ItemFault[] = [];
  for (const [place, creation] of creations.entries()) {
    try {
      allowed.push(creation());
    } catch (error) {
      if (!(error instanceof InventoryError)) throw error;
      faults.push({ place, error });
    }
  }
  if (faults.length > 0) throw faultOfItems(faults);
  return allowed;
}

/** A fault takes back nothing but what it is about, so that the others can still be looked at. */
async function orFault(change: ChangeSet, place: number, make: Creation['make']): Promise<Shown | ItemFault> {
  await change.tx.execute(sql`SAVEPOINT creation`);
  try {
    const made = await make(change);
    await change.tx.execute(sql`RELEASE SAVEPOINT creation`);
    return made;
  } catch (thrown) {
    const error = thrown instanceof InventoryError ? thrown : inventoryErrorOfDatabase(thrown);
    // What is to be tried again, and what nobody expects, is not the fault of one of them.
    if (!error || error.status >= 500) throw thrown;
    await change.tx.execute(sql`ROLLBACK TO SAVEPOINT creation`);
    // It would stay otherwise, below those of all later ones.
    await change.tx.execute(sql`RELEASE SAVEPOINT creation`);
    return { place, error };
  }
}
