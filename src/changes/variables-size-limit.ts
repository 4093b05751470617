import type { Visibility } from '../core/context/visibility';
import { InventoryError } from '../core/errors/inventory-error';
import { visibleDocument } from '../core/json/visible-document';

/** One resource's variables together take at most this many bytes, of those that the one who writes sees. */
const MOST = 1024 * 1024;
/** With those that are hidden from him: by a limit over both that he came up to, he could tell the length of these. */
const MOST_WITH_HIDDEN = 2 * MOST;

const NOTHING = '{}';

/**
 * Holds the variables of one resource to what they may take. What takes more already may shrink and stay: others, who
 * saw less of it, may have added to it.
 * @param kind the resource's
 * @throws InventoryError 400
 */
export function requireRoom(kind: string, before = NOTHING, after = NOTHING, visibility: Visibility): void {
  // Not even counted, where it cannot be too much.
  if (before === after || after.length * 3 <= MOST || Buffer.byteLength(after) <= MOST) return;
  const seen = (document: string): string => visibleDocument(document, visibility);
  if (!exceeds(MOST, seen(before), seen(after)) && !exceeds(MOST_WITH_HIDDEN, before, after)) return;
  throw InventoryError.invalid('variables', `of one ${kind} together take at most 1 MiB`);
}

function exceeds(most: number, before: string, after: string): boolean {
  const bytes = Buffer.byteLength(after);
  return bytes > most && bytes > Buffer.byteLength(before);
}
