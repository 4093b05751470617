import { hash } from 'node:crypto';

/** The entity tag of a version: that of a resource after a write, or `c` and a number for one variable. */
export const entityTag = (version: number): string => `"${String(version)}"`;

/** In characters of the digest. 128 bits: no two bodies of one URL have the same. */
const DIGEST_LENGTH = 32;

/**
 * The entity tag of a representation: the version of the resource, for `If-Match`, and a digest of the body, for
 * `If-None-Match`. The version alone does not determine the body: it also shows what the resource inherits, as far as the
 * caller may see it, and the names of others.
 */
export const representationTag = (version: number, body: string): string =>
  `"${String(version)}-${digestOf(body)}"`;

/** The entity tag of a body without a version. */
export const digestTag = (body: Buffer): string => `"${digestOf(body)}"`;

const digestOf = (body: string | Buffer): string => hash('sha256', body, 'hex').slice(0, DIGEST_LENGTH);

/** The tag of a representation in a content coding. It differs, because the bytes do. */
export const codedTag = (tag: string, coding: string): string => `${tag.slice(0, -1)}-${coding}"`;

const CODING = /-(?:br|gzip)(?="$)/;
const DIGEST = new RegExp(`-[\\da-f]{${String(DIGEST_LENGTH)}}(?="$)`);

const withoutCoding = (tag: string): string => tag.replace(CODING, '');

/** The tag of the version in a tag that a response had. */
export const versionTag = (tag: string): string => withoutCoding(tag).replace(DIGEST, '');

/**
 * One element of the list with its comma. The element may be empty, and a tag may contain commas. Blanks can be matched in
 * one way only, so that a header of thousands of them takes no quadratic time.
 */
const ELEMENT = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;

/** Parses a list of entity tags (RFC 9110). @returns undefined if it is malformed or empty */
export function parseEntityTags(header: string): string[] | undefined {
  const tags: string[] = [];
  for (let at = 0; at < header.length; at = ELEMENT.lastIndex) {
    ELEMENT.lastIndex = at;
    const element = ELEMENT.exec(header);
    if (!element) return undefined;
    if (element[1] !== undefined) tags.push(element[1]);
  }
  return tags.length === 0 ? undefined : tags;
}

/**
 * Compares `If-None-Match` with the tag of the current representation, weakly (RFC 9110): the coding and `W/`, which
 * proxies add, do not matter. A malformed header matches nothing.
 * @returns the tag of the client's copy if it is current, else undefined
 */
export function currentCopy(ifNoneMatch: string | undefined, tag: string): string | undefined {
  if (ifNoneMatch === undefined) return undefined;
  if (ifNoneMatch.trim() === '*') return tag;
  return parseEntityTags(ifNoneMatch)?.find((copy) => withoutCoding(copy.replace(/^W\//, '')) === tag);
}
