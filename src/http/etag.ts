import { InventoryError } from '../core/errors/inventory-error';

/** The entity tag of a resource's version. */
export const entityTag = (version: number): string => `"${String(version)}"`;

/** A parsed `If-Match`: `undefined` without the header, `'*'` for any version, else the accepted tags. */
export type Precondition = undefined | '*' | readonly string[];

/** One element of the list with its comma. The element may be empty, and a tag may contain commas. */
const ELEMENT = /[ \t]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")?[ \t]*(?:,|$)/y;

/** @throws InventoryError 400 if the header is not a list of entity tags (RFC 9110) */
export function parseIfMatch(header: string | undefined): Precondition {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const tags: string[] = [];
  for (let at = 0; at < header.length; at = ELEMENT.lastIndex) {
    ELEMENT.lastIndex = at;
    const element = ELEMENT.exec(header);
    if (!element) throw malformed();
    if (element[1] !== undefined) tags.push(element[1]);
  }
  if (tags.length === 0) throw malformed();
  return tags;
}

const malformed = (): InventoryError =>
  InventoryError.invalid('If-Match', 'must be * or a list of entity tags, as in If-Match: "3"');

/** @throws InventoryError 412 if the precondition does not include the version */
export function requireVersion(precondition: Precondition, version: number): void {
  if (precondition === undefined || precondition === '*') return;
  // If-Match uses the strong comparison: a weak tag never matches.
  if (precondition.includes(entityTag(version))) return;
  throw new InventoryError('version_mismatch', `The resource is at version ${String(version)} now.`, [
    { field: 'If-Match', message: `precondition failed: the current version is ${entityTag(version)}` },
  ]);
}
