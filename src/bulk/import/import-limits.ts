/** The token of the limits. */
export const IMPORT_LIMITS = Symbol('import limits');

/** How much an import may take. */
export interface ImportLimits {
  /** Of a body, as it is after decompression. */
  readonly bytes: number;
  /** How many may be taken in at a time. */
  readonly atOnce: number;
}
