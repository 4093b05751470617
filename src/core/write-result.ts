import type { WalPosition } from './wal-position';

/** What a response says about a committed write, besides its result. */
export interface WriteOutcome {
  /** What the caller should know about what the write did, for people. */
  readonly warnings: readonly string[];
  /** Whether an earlier request with the same `Idempotency-Key` did the work. */
  readonly replayed: boolean;
  /** Reads after this position include the write. Absent if the client needs no consistency token. */
  readonly position: WalPosition | undefined;
}

/** A write that was committed. */
interface CommittedWrite<T> extends WriteOutcome {
  readonly result: T;
}

/** What a change would do: the result of a dry run, whose transaction was rolled back. */
export class ChangePreview {
  /**
   * @param body the response body, as JSON text
   * @param warnings those that the write would return
   */
  constructor(
    readonly body: string,
    readonly warnings: readonly string[] = [],
  ) {}
}

/** What a write did; of a dry run, the preview of the change. */
export type WriteResult<T> = CommittedWrite<T> | ChangePreview;

/** The result of a write that cannot be a dry run. @throws Error for a preview */
export function committed<T>(write: WriteResult<T>): T {
  if (write instanceof ChangePreview) throw new Error('a write outside of a dry run returned a preview');
  return write.result;
}
