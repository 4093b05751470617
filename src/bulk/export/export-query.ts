import { anyDeviceShape } from '../../devices/device-kind';
import { host } from '../../devices/kinds/host/host';
import { selectingParameters, type ResourceDefinition } from '../../resources/resource-definition';
import type { FilterableDefinition } from '../../resources/list-filter-compiler';
import { InventoryError } from '../../core/errors/inventory-error';
import type { QueryParameters } from '../../core/parameters';
import { parseBooleanValue } from '../../list/list-filter';
import { parseUnpagedQuery, type ListParameters, type UnpagedQuery } from '../../list/list-query';
import { EXPORTED_DEVICE_KINDS, EXPORTED_KINDS } from './exported-kinds';

export type ExportFormat = 'ndjson' | 'csv';

export interface ExportQuery {
  readonly format: ExportFormat;
  readonly kinds: ReadonlySet<string>;
  readonly resolved: boolean;
  /** The filters of devices; undefined exports all devices. */
  readonly deviceFilters: Pick<UnpagedQuery, 'filters' | 'others'> | undefined;
}

/** Devices of all kinds, with the filters of their lists. */
export const exportedDevices: FilterableDefinition & ResourceDefinition = {
  ...host.definition,
  shape: anyDeviceShape,
  ofSeveralKinds: true,
};

const deviceParameters = selectingParameters(exportedDevices);

const parameters: ListParameters = {
  ...deviceParameters,
  common: ['resolved-values'],
  others: [{ name: 'kind', repeatable: true }, { name: 'format' }, ...deviceParameters.others],
};

/** @param acceptsCsv whether the `Accept` header names CSV. @throws InventoryError 400 */
export function parseExportQuery(query: QueryParameters, acceptsCsv: boolean): ExportQuery {
  const { filters, others } = parseUnpagedQuery(query, parameters, 'array');
  const first = (name: string) => others.get(name)?.[0];
  const format = parseFormat(first('format'), acceptsCsv);
  const isFiltered = filters.length > 0 || deviceParameters.others.some(({ name }) => others.has(name));
  return {
    format,
    kinds: parseKinds(others.get('kind'), format, isFiltered),
    resolved: parseBooleanValue('resolved-values', first('resolved-values') ?? 'false'),
    deviceFilters: isFiltered ? { filters, others } : undefined,
  };
}

function parseFormat(text: string | undefined, acceptsCsv: boolean): ExportFormat {
  if (text === undefined) return acceptsCsv ? 'csv' : 'ndjson';
  if (text !== 'csv' && text !== 'ndjson') throw InventoryError.invalid('format', 'must be ndjson or csv');
  return text;
}

/** CSV contains hosts only. Filters select devices only. */
function parseKinds(
  requested: readonly string[] | undefined,
  format: ExportFormat,
  isFiltered: boolean,
): ReadonlySet<string> {
  const allowed = format === 'csv' ? ['host'] : isFiltered ? EXPORTED_DEVICE_KINDS : EXPORTED_KINDS;
  for (const kind of requested ?? []) {
    if (!EXPORTED_KINDS.includes(kind))
      throw InventoryError.invalid('kind', `must be one of ${EXPORTED_KINDS.join(', ')}`);
    if (allowed.includes(kind)) continue;
    throw InventoryError.invalid(
      'kind',
      format === 'csv'
        ? 'must be host, because CSV contains only hosts'
        : 'must be a kind of device, because the filters select only devices',
    );
  }
  return new Set(requested ?? allowed);
}
