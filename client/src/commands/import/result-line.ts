import type { Row } from '../../output/rows';

/** The result of a line that was imported. */
export interface ResultLine {
  readonly result: 'created' | 'updated' | 'unchanged';
  readonly kind: string;
  /** Undefined for a resource that a dry run would create. */
  readonly id: string | undefined;
  readonly name: string;
  /** The resource as in an export, if the request asks for changes; before an update, and after any change. */
  readonly before?: Row;
  readonly after?: Row;
}
