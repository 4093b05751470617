/** The injection token of `ImportLimits`. */
export const IMPORT_LIMITS = Symbol('import limits');

export interface ImportLimits {
  /** The maximum size of a decompressed body. */
  readonly bytes: number;
  /** The maximum number of concurrent imports. */
  readonly atOnce: number;
}
