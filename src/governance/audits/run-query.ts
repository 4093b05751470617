import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { QueryParameters } from '../../core/parameters';
import { locationFilters } from '../../devices/device-kind';
import { parseBooleanValue, type ListFilter } from '../../lists/list-filter';
import { type IdPage, parseUnpagedQuery, readIdPage } from '../../lists/list-query';
import { ApiDevicePage, ApiFilter } from '../../resources/api-parameters';

/** The query of a run. */
export interface RunQuery extends IdPage {
  /** The locations of the devices that it audits; without any, all that the audit selects. */
  readonly filters: readonly (readonly [ListFilter, string])[];
  /** Whether its counts are stored. Those of a part of the fleet, and of further pages, are not. */
  readonly isStored: boolean;
}

/** @throws InventoryError 400 */
export function parseRunQuery(query: QueryParameters): RunQuery {
  const accepted = {
    members: [],
    filters: locationFilters,
    common: ['limit', 'marker'] as const,
    others: [{ name: 'store' }],
  };
  const { filters, others } = parseUnpagedQuery(query, accepted, 'preview');
  const page = readIdPage((name) => others.get(name)?.[0]);
  const isStored = parseBooleanValue('store', others.get('store')?.[0] ?? 'true');
  return { ...page, filters, isStored: isStored && page.marker === undefined && filters.length === 0 };
}

/** Documents the query of a run. */
export const ApiRunQuery = () =>
  applyDecorators(
    ApiDevicePage(),
    ...locationFilters.map(ApiFilter),
    ApiQuery({
      name: 'store',
      required: false,
      description:
        'Whether the counts become a past run of the audit. Those of a run that is limited to regions or cells never do.',
      schema: { type: 'boolean', default: true, example: false },
    }),
  );
