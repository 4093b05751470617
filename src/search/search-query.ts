import { characterCount } from '../core/text';
import { InventoryError } from '../core/errors';
import { parseId, parseUuid, parameterReader, type QueryParameters } from '../core/parameters';
import { parseNetwork, type Network } from '../core/ip-address';
import { hasTrigram } from '../database/trigrams';
import { parseStorableText } from '../lists/list-filter';
import { parseLimit, parseProjectId } from '../lists/list-query';

/** A searched text, in each of the forms in which it can match. */
export interface SearchQuery {
  readonly text: string;
  readonly limit: number;
  readonly projectId: string | undefined;
  readonly id: number | undefined;
  readonly uuid: string | undefined;
  readonly network: Network | undefined;
  /** The scalar JSON values that are written like the text, as JSON texts. */
  readonly values: readonly string[];
  /** Whether an index of trigrams can find names that contain the text. */
  readonly hasTrigram: boolean;
}

export const MAX_TEXT_LENGTH = 255;

/** The bounds and the default of `limit`. */
export const SEARCH_LIMITS = { min: 1, max: 100, default: 20 };

/** Parses the query of a search. @throws InventoryError 400 */
export function parseSearchQuery(query: QueryParameters): SearchQuery {
  const parameter = parameterReader(query, ['q', 'limit', 'project_id']);
  const text = parseStorableText('q', parameter('q') ?? '').trim();
  if (text === '') throw InventoryError.invalid('q', 'required', 'is required: the text to search for');
  if (characterCount(text) > MAX_TEXT_LENGTH)
    throw InventoryError.invalid('q', 'too_long', `must have at most ${String(MAX_TEXT_LENGTH)} characters`);
  return {
    text,
    limit: parseLimit(parameter('limit'), SEARCH_LIMITS),
    projectId: parseProjectId(parameter('project_id')),
    id: parseId(text),
    uuid: parseUuid(text),
    network: octetNetwork(text) ?? groupNetwork(text) ?? parseNetwork(text),
    values: scalarValues(text),
    hasTrigram: hasTrigram(text),
  };
}

const BITS_PER_OCTET = 8;
const MAX_OCTET = 255;
const BITS_PER_GROUP = 16;

/** Parses the first octets of an address: `10.64.` is `10.64.0.0/16`. */
function octetNetwork(text: string): Network | undefined {
  // A number without a dot is an id.
  const octets = /^(\d{1,3}(?:\.\d{1,3}){1,2}|\d{1,3}(?=\.$))\.?$/.exec(text)?.[1]?.split('.').map(Number);
  if (!octets || octets.some((octet) => octet > MAX_OCTET)) return undefined;
  const address = [...octets, 0, 0, 0].slice(0, 4).join('.');
  return { text: `${address}/${String(octets.length * BITS_PER_OCTET)}`, length: 32 };
}

/** The groups of an IPv6 address. */
const GROUPS = 8;

/**
 * The first groups of an IPv6 address. With `::` at the end, these are the groups before it: an address that ends in zeros
 * is rarely one of a device, and many begin like it.
 */
function groupNetwork(text: string): Network | undefined {
  // A number without a colon is an id.
  if (!/^(?:[\da-f]{1,4}:)+(?:[\da-f]{1,4}|:)?$/i.test(text)) return undefined;
  const groups = text.replace(/:+$/, '').split(':');
  if (groups.length >= GROUPS) return undefined;
  const address = [...groups, ...Array<string>(GROUPS - groups.length).fill('0')].join(':');
  return { text: `${address}/${String(groups.length * BITS_PER_GROUP)}`, length: 128 };
}

/** A text is written like itself, and also like the number, the boolean or the null of this spelling. */
function scalarValues(text: string): string[] {
  const isOther = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?)$/.test(text);
  return [JSON.stringify(text), ...(isOther ? [text] : [])];
}
