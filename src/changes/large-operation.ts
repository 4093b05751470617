import { InventoryError } from '../core/errors';
import type { LargeChange } from './large-change';
import type { Operation } from './operation';
import { lockIdsStatement } from './row-statements';

/** A write of any size, in parts. */
export interface LargeOperation<T, C = LargeChange> extends Pick<Operation<T>, 'note'> {
  /** The maximum number of devices whose resolved values may change, as far as the caller sees them. */
  readonly maxDevices?: number;
  /** Writes parts in the project of the request. @returns plain JSON */
  readonly run: (change: C) => Promise<T>;
}

/** What a large operation needs of its change, to run in a change of any size or, with a limit, in a change set. */
export type PartWriter = Pick<
  LargeChange,
  'ctx' | 'tx' | 'projectId' | 'touched' | 'lockExisting' | 'inPart'
>;

/** How many resources a change set of several operations can touch. It keeps both sides of each in memory. */
export const MAX_TOUCHED = 10_000;

/** Runs a large operation in a change set. It throws 400 if the change would touch too many resources. */
export const inChangeSet = <T>({ note, run }: LargeOperation<T, PartWriter>): Operation<T> => ({
  note,
  run: (change) => {
    const { ctx, tx } = change;
    const { projectId } = ctx;
    const touched = change.touched.earlierCount;
    let locked = touched;
    return run({
      ctx,
      tx,
      projectId,
      touched,
      lockExisting: async (mapping, condition) => {
        const rows = await tx.rows<{ id: number }>(lockIdsStatement(mapping, projectId, condition), 'custom');
        locked += rows.length;
        if (locked > MAX_TOUCHED) throw tooManyResources();
        return rows.map(({ id }) => id);
      },
      inPart: (work) => work(change),
    });
  },
});

const tooManyResources = (): InventoryError =>
  InventoryError.invalidBody(
    'limit_exceeded',
    `A change of several operations can touch at most ${String(MAX_TOUCHED)} resources. Send this one alone.`,
  );
