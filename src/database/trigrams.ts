/** The index of the names of devices by trigrams. Databases without the extension `pg_trgm` do not have it. */
export const TRIGRAM_INDEX = 'devices_by_trigrams';

/**
 * Whether an index of trigrams can find names that contain the text. With a collation by code points, letters beyond ASCII
 * are not part of trigrams.
 */
export const hasTrigram = (text: string): boolean => /[a-z0-9]{3}/i.test(text);
