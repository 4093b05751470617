import { InventoryError } from '../errors/inventory-error';

/** The entity tag of a resource's version. */
export const entityTag = (version: number): string => `"${String(version)}"`;

/** A resource's `If-Match`: `undefined` asks for nothing, `'*'` for any version, else for one of these tags. */
export type Precondition = undefined | '*' | readonly string[];

const TAG = /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** @throws InventoryError 400 if the header is not a list of entity tags (RFC 9110) */
export function parseIfMatch(header: string | undefined): Precondition {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.some((tag) => !TAG.test(tag)))
    throw InventoryError.invalid('If-Match', 'must be * or a list of entity tags, as in If-Match: "3"');
  return tags;
}

/** @throws InventoryError 412 if the version is none that the client named */
export function requireVersion(precondition: Precondition, version: number): void {
  if (precondition === undefined || precondition === '*') return;
  // If-Match compares strongly: a weak tag never holds.
  if (precondition.includes(entityTag(version))) return;
  throw new InventoryError('version_mismatch', `The resource is at version ${String(version)} by now.`, [
    { field: 'If-Match', message: `does not hold: the version is ${entityTag(version)}` },
  ]);
}
