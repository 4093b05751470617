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

/** The result of a write; of a dry run, the preview of the change. */
export type WriteResult<T> = T | ChangePreview;

/** The result of a write that cannot be a dry run. @throws Error for a preview */
export function committed<T>(result: WriteResult<T>): T {
  if (result instanceof ChangePreview) throw new Error('a write outside of a dry run returned a preview');
  return result;
}
