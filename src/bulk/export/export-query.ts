import { anyDeviceShape } from '../../devices/device-kind';
import { host } from '../../devices/kinds/host/host';
import { selectingParameters, type Listing } from '../../resources/resource-definition';
import type { Selectable } from '../../resources/list-filter-compiler';
import { InventoryError } from '../../core/errors/inventory-error';
import type { QueryParameters } from '../../core/query-parameters';
import { booleanValue } from '../../list/list-filter';
import { parseUnpaged, type ListNames, type UnpagedQuery } from '../../list/list-query';
import { DEVICE_KINDS, EXPORTED_KINDS } from './exported-kinds';

/** How an export is written. */
export type ExportFormat = 'ndjson' | 'csv';

/** What a request asks to export. */
export interface ExportQuery {
  readonly format: ExportFormat;
  readonly kinds: ReadonlySet<string>;
  readonly resolved: boolean;
  /** Which devices; undefined: all of them. */
  readonly devices: Pick<UnpagedQuery, 'filters' | 'others'> | undefined;
}

/** Devices of every kind, with the filters of their lists. */
export const exportedDevices: Selectable & Listing = {
  ...host.listing,
  shape: anyDeviceShape,
  ofSeveralKinds: true,
};

const selecting = selectingParameters(exportedDevices);

const accepted: ListNames = {
  ...selecting,
  common: ['resolved-values'],
  others: [{ name: 'kind', repeatable: true }, { name: 'format' }, ...selecting.others],
};

/**
 * Reads what is to be exported.
 * @param wantsTable whether the request names CSV as what it accepts
 * @throws InventoryError 400
 */
export function parseExportQuery(query: QueryParameters, wantsTable: boolean): ExportQuery {
  const { filters, others } = parseUnpaged(query, accepted, 'array');
  const one = (name: string) => others.get(name)?.[0];
  const format = formatOf(one('format'), wantsTable);
  const isFiltered = filters.length > 0 || selecting.others.some(({ name }) => others.has(name));
  return {
    format,
    kinds: kindsOf(others.get('kind'), format, isFiltered),
    resolved: booleanValue('resolved-values', one('resolved-values') ?? 'false'),
    devices: isFiltered ? { filters, others } : undefined,
  };
}

function formatOf(text: string | undefined, wantsTable: boolean): ExportFormat {
  if (text === undefined) return wantsTable ? 'csv' : 'ndjson';
  if (text !== 'csv' && text !== 'ndjson') throw InventoryError.invalid('format', 'must be ndjson or csv');
  return text;
}

/** A table has hosts alone; and what devices are chosen by chooses nothing else. */
function kindsOf(
  asked: readonly string[] | undefined,
  format: ExportFormat,
  isFiltered: boolean,
): ReadonlySet<string> {
  const possible = format === 'csv' ? ['host'] : isFiltered ? DEVICE_KINDS : EXPORTED_KINDS;
  for (const kind of asked ?? []) {
    if (!EXPORTED_KINDS.includes(kind))
      throw InventoryError.invalid('kind', `must be one of ${EXPORTED_KINDS.join(', ')}`);
    if (possible.includes(kind)) continue;
    throw InventoryError.invalid(
      'kind',
      format === 'csv' ? 'CSV has hosts alone' : 'the filters choose devices, and nothing else',
    );
  }
  return new Set(asked ?? possible);
}
