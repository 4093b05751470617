import { type Caller, CallerCounts, sharesOf } from '../../core/concurrency';
import { InventoryError } from '../../core/errors';

/** An import exceeded its quota of disk space. The import fails as a whole, not one of its lines. */
export class TemporarySpaceError extends InventoryError {}

/** The space of one import. */
export interface ImportSpace {
  /** @throws TemporarySpaceError 413 if the import needs too much, 503 if other imports use the space */
  take(bytes: number): void;
  /** Returns all of it. */
  release(): void;
}

/** The disk space of the database for the staged lines of the imports of a process, with shares of users and projects. */
export class TemporarySpace {
  private used = 0;
  private readonly usedBy: CallerCounts;

  /** @param max in bytes */
  constructor(private readonly max: number) {
    this.usedBy = new CallerCounts(sharesOf(max));
  }

  /** Returns the quota of one import. Nothing is reserved yet. */
  begin(caller: Caller): ImportSpace {
    let taken = 0;
    const add = (bytes: number): void => {
      taken += bytes;
      this.used += bytes;
      this.usedBy.add(caller, bytes);
    };
    return {
      take: (bytes) => {
        const { maxPerUser } = this.usedBy.shares;
        if (taken + bytes > maxPerUser)
          throw new TemporarySpaceError(
            'payload_too_large',
            `The import needs more than the maximum of ${String(maxPerUser)} bytes of temporary space, which follows from IMPORT_LIMIT_BYTES. Divide it into several imports.`,
          );
        const owner = this.usedBy.exhausted(caller);
        if (owner !== undefined || this.used + bytes > this.max)
          throw new TemporarySpaceError(
            'unavailable',
            `The quota of temporary space for imports ${owner === undefined ? '' : `of this ${owner} `}is used up. Retry when another import has ended.`,
            [],
            { 'retry-after': '10' },
          );
        add(bytes);
      },
      release: () => {
        add(-taken);
      },
    };
  }
}
