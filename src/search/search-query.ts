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
  /** The number of a change, also with `#` before it. */
  readonly changeId: number | undefined;
  /** Networks whose addresses begin like the text. */
  readonly networks: readonly Network[];
  /** The scalar JSON values that are written like the text, as JSON texts. */
  readonly values: readonly string[];
  /** Whether an index of trigrams can find names that contain the text. */
  readonly hasTrigram: boolean;
  /** Finds values and reasons that contain the text, if it is long enough for that. */
  readonly part: SearchPart | undefined;
}

/** A text that is searched within other texts, in upper or lower case. */
export interface SearchPart {
  readonly text: string;
  /** Undefined if the text is not the beginning of a MAC address. */
  readonly mac: MacPatterns | undefined;
}

/** Finds the beginning of a MAC address with the separators of any vendor: two patterns of it, in lower case. */
interface MacPatterns {
  /** The octets with an optional separator between them: `aa[:.-]?bb`. */
  readonly regex: string;
  /** A pattern of `LIKE` that also finds every text of the regular expression: `%aa%bb%`. */
  readonly like: string;
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
    changeId: parseId(text.replace(/^#/, '')),
    networks: networksOf(text),
    values: scalarValues(text),
    hasTrigram: hasTrigram(text),
    part: characterCount(text) < MIN_PART_LENGTH ? undefined : { text, mac: macPatterns(text) },
  };
}

/** In characters. Almost every value contains a shorter text. */
const MIN_PART_LENGTH = 3;

/** The separators that can stand between two octets, and between those where Cisco has no dot. */
const SEPARATOR = '[:.-]?';
const SEPARATOR_WITHOUT_DOT = '[:-]?';

/**
 * The beginning of a MAC address: two octets at least, or three if it is written without separators. A text without separators may
 * be something else, so a dot stands only where Cisco has one, after every second octet: `102030` does not find `10.20.30`.
 */
function macPatterns(text: string): MacPatterns | undefined {
  const isBare = /^[\da-f]{6,12}$/i.test(text);
  if (!isBare && !/^[\da-f]{2}([:-][\da-f]{2})+[:-]?$|^[\da-f]{4}\.[\da-f.]{2,10}$/i.test(text))
    return undefined;
  const digits = text.toLowerCase().replace(/[^\da-f]/g, '');
  // The last octet of a bare text may be its beginning only.
  const octets = digits.match(isBare ? /..?/g : /../g) ?? [];
  const separator = (i: number) => (isBare && i % 2 === 1 ? SEPARATOR_WITHOUT_DOT : SEPARATOR);
  return {
    regex: octets.map((octet, i) => (i === 0 ? octet : `${separator(i)}${octet}`)).join(''),
    like: `%${octets.join('%')}%`,
  };
}

function networksOf(text: string): readonly Network[] {
  const known = octetNetwork(text);
  if (known) return [known];
  const groups = groupNetworks(text);
  if (groups.length > 0) return groups;
  const parsed = parseNetwork(text);
  return parsed ? [parsed] : [];
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

/** The groups of an IPv6 address, and the digits of a group. */
const GROUPS = 8;
const GROUP_DIGITS = 4;
const BITS_PER_DIGIT = 4;

/**
 * The first groups of an IPv6 address. With `::` at the end, these are the groups before it: an address that ends in zeros
 * is rarely one of a device, and many begin like it. If more digits can follow, the last group may also be the beginning of
 * a longer one: `2001:d` is `2001:000d`, and begins `2001:00d_`, `2001:0d__` and `2001:d___`.
 */
function groupNetworks(text: string): Network[] {
  // A number without a colon is an id.
  if (!/^(?:[\da-f]{1,4}:)+(?:[\da-f]{1,4}|:)?$/i.test(text)) return [];
  const groups = text.replace(/:+$/, '').split(':');
  if (groups.length >= GROUPS) return [];
  const last = groups.pop() ?? '';
  // A leading zero is not written.
  const missing = text.endsWith(':') || last.startsWith('0') ? 0 : GROUP_DIGITS - last.length;
  return Array.from({ length: missing + 1 }, (_, more) => {
    const address = [...groups, last + '0'.repeat(more), ...zeros(GROUPS - groups.length - 1)].join(':');
    const bits = (groups.length + 1) * BITS_PER_GROUP - more * BITS_PER_DIGIT;
    return { text: `${address}/${String(bits)}`, length: 128 };
  });
}

const zeros = (count: number): readonly string[] => Array<string>(count).fill('0');

/** A text is written like itself, and also like the number, the boolean or the null of this spelling. */
function scalarValues(text: string): string[] {
  const isOther = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?)$/.test(text);
  return [JSON.stringify(text), ...(isOther ? [text] : [])];
}
