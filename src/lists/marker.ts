import { createHash } from 'node:crypto';
import { InventoryError } from '../core/errors';
import { parseId, parseTime, parseUuid } from '../core/parameters';
import type { ResourceMapping, SortColumn } from '../database/resource-mapping';
import { parseNetwork } from '../core/ip-address';
import type { KeyValues, SortOrder } from './keyset';

/** The marker of the last page. Its position is searched only when the page is read, not for each link to it. */
export const LAST_PAGE = 'last';

/** Where a page begins. */
export type Marker =
  | { readonly kind: 'last' }
  /** After the item with this id. */
  | {
      readonly kind: 'item';
      readonly id: string;
      /** A digest of the item's sort keys when the marker was made; the marker is invalid if it differs. */
      readonly digest?: string;
    }
  /** After a position, whether an item has it or not. */
  | { readonly kind: 'position'; readonly keys: KeyValues };

/** The version of the content of markers. A change of their content needs another one. */
const VERSION = 1;

/** The maximum length of a marker (characters). It leaves room for filters in the URL of a link: see `URL_LIMIT_BYTES`. */
const MAX_MARKER_LENGTH = 2048;

/** The mapping of the items of a list, and their order. */
interface OrderedList {
  readonly mapping: ResourceMapping;
  readonly order: SortOrder;
}

/** What a marker is bound to: the collection, its sort keys and their direction. */
const orderName = ({ mapping, order }: OrderedList): string => {
  const columns = order.keys.map(({ column }) => column.replace(/^t\./, '')).join(',');
  return `${mapping.collection} ${columns} ${order.descending ? 'desc' : 'asc'}`;
};

/** Identifies a position whose texts are too long for a marker. */
export const digestOf = (keys: KeyValues): string =>
  createHash('sha256').update(JSON.stringify(keys)).digest('base64url');

/**
 * Formats a position in a list as a marker. In id order, it is the id. In other orders, it contains the values of the sort
 * keys, so that it stays valid if its item is renamed or deleted. If these are too long, it contains the id and a digest of
 * them, so that it is invalid if its item was moved.
 */
export function formatMarker(list: OrderedList, keys: KeyValues): string {
  const id = String(keys.at(-1));
  if (keys.length === 1) return id;
  const encode = (content: object) =>
    Buffer.from(JSON.stringify({ v: VERSION, order: orderName(list), ...content })).toString('base64url');
  const marker = encode({ keys });
  return marker.length <= MAX_MARKER_LENGTH ? marker : encode({ id, digest: digestOf(keys) });
}

/**
 * Parses a marker: the id of an item, `last`, or a marker from a link.
 * @throws InventoryError 400 if it is malformed, or from a link of another list or order
 */
export function parseMarker(text: string, list: OrderedList): Marker {
  if (text === LAST_PAGE) return { kind: 'last' };
  const { idType } = list.mapping;
  const id = idType === 'uuid' ? parseUuid(text) : parseId(text);
  const marker: Marker | undefined =
    id === undefined ? decodeMarker(text, list) : { kind: 'item', id: String(id) };
  if (marker) return marker;
  throw InventoryError.invalid(
    'marker',
    'invalid_format',
    `must be the id of an item, ${idType === 'uuid' ? 'a UUID' : 'an integer'}, ${LAST_PAGE}, or the marker from a link of this list in the same order`,
  );
}

function decodeMarker(text: string, list: OrderedList): Marker | undefined {
  if (list.order.keys.length === 1 || text.length > MAX_MARKER_LENGTH || !/^[\w-]+$/.test(text))
    return undefined;
  const { v, order, keys, id, digest } = parseObject(Buffer.from(text, 'base64url').toString());
  if (v !== VERSION || order !== orderName(list)) return undefined;
  if (isPosition(keys, list.order)) return { kind: 'position', keys };
  const idColumn = list.order.keys.at(-1);
  if (idColumn && typeof id === 'string' && isValueOf(idColumn, id) && typeof digest === 'string')
    return { kind: 'item', id, digest };
  return undefined;
}

/** The members of a JSON object; none if the text is not one. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

const isPosition = (values: unknown, { keys }: SortOrder): values is KeyValues =>
  Array.isArray(values) &&
  values.length === keys.length &&
  keys.every((key, i) => isValueOf(key, values[i] as unknown));

const MAX_INTEGER = 2 ** 31 - 1;

/** Whether PostgreSQL can read a value as one of the column. */
function isValueOf({ type, nullable }: SortColumn, value: unknown): boolean {
  if (value === null) return nullable;
  if (typeof value !== 'string') return false;
  switch (type) {
    case 'bigint':
      return /^-?\d{1,18}$/.test(value);
    case 'integer':
      return /^-?\d{1,10}$/.test(value) && Math.abs(Number(value)) <= MAX_INTEGER;
    case 'uuid':
      return parseUuid(value) !== undefined;
    case 'boolean':
      return value === 'true' || value === 'false';
    case 'timestamptz':
      return value.endsWith('Z') && parseTime(value) !== undefined;
    case 'inet':
      return parseNetwork(value) !== undefined;
    case 'text':
      return value.isWellFormed() && !value.includes('\u0000');
  }
}
