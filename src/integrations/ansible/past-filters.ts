import { InventoryError } from '../../core/errors';
import { documentOf } from '../../core/json/json-text';
import type { Queryable } from '../../database/database';
import { and, sql, textArray } from '../../database/sql';
import { parseIdValue, parseLabel, parseStorableText } from '../../lists/list-filter';
import { matchesFilter } from '../../variables/filter/document-test';
import { FILTER_PARAMETERS, parseVariableFilters } from '../../variables/filter/filter-parameters';
import { canMatch, type VariableFilter } from '../../variables/filter/variable-filter';
import { decidingLevel } from '../../variables/key-levels';
import type { HostWithLevels } from '../host-query.service';
import type { HostRow } from './inventory-source';

/** The filters that can be combined with a point in time. A device must meet all of them. */
export interface PastFilters {
  /** Undefined: all; a cell of null: devices without a cell. */
  readonly regions: readonly number[] | undefined;
  readonly cells: readonly (number | null)[] | undefined;
  readonly deviceTypes: readonly string[] | undefined;
  /** Names that labels had at that time. A device has all of them. */
  readonly labels: readonly string[];
  readonly variables: readonly VariableFilter[];
}

/** The parameters of these filters. */
export const PAST_FILTERS = ['region_id', 'cell_id', 'device_type', 'label', ...FILTER_PARAMETERS] as const;

/** @param values of the query, by parameter; those of other parameters than `PAST_FILTERS` and `others` are rejected @throws InventoryError 400 */
export function parsePastFilters(
  values: ReadonlyMap<string, readonly string[]>,
  others: readonly string[],
): PastFilters {
  const known: readonly string[] = [...PAST_FILTERS, ...others];
  const unknown = [...values.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw InventoryError.invalid(
      unknown,
      'inconsistent',
      'is about the present: it cannot be combined with at',
    );
  return {
    regions: values.get('region_id')?.map((id) => parseIdValue('region_id', id)),
    cells: values.get('cell_id')?.map((id) => (id === 'null' ? null : parseIdValue('cell_id', id))),
    deviceTypes: values.get('device_type')?.map((type) => parseStorableText('device_type', type)),
    labels: values.get('label')?.map((label) => parseLabel('label', label)) ?? [],
    variables: parseVariableFilters(values),
  };
}

/** How many characters of documents are tested with one statement. */
const CHUNK_CHARACTERS = 512 * 1024;

/**
 * Finds the devices whose resolved variables match filters. There is no index of the past: each document is tested.
 * @returns their ids
 */
export async function findMatching(
  devices: AsyncIterable<HostWithLevels<HostRow>>,
  filters: readonly VariableFilter[],
  on: Queryable,
): Promise<ReadonlySet<number>> {
  const matching = new Set<number>();
  if (!filters.every(canMatch)) return matching;
  const keys = [...new Set(filters.map(({ key }) => JSON.stringify(key)))];
  /** The ids of devices by their document. Many have the same one, as it has the keys of the filters only. */
  let pending = new Map<string, number[]>();
  let characters = 0;
  const testPending = async () => {
    const documents = [...pending];
    const rows = await on.rows<{ index: number }>(
      sql`SELECT d.index::int - 1 AS index
        FROM (SELECT u.index, u.text::jsonb AS document FROM unnest(${textArray([...pending.keys()])}::text[])
          WITH ORDINALITY AS u (text, index) OFFSET 0) d
        WHERE ${and(filters.map((filter) => matchesFilter(filter, sql`d.document`)))}`,
      'custom',
    );
    for (const { index } of rows) for (const id of documents[index]?.[1] ?? []) matching.add(id);
    pending = new Map();
    characters = 0;
  };
  for await (const device of devices) {
    const document = documentWith(keys, device);
    const sharing = pending.get(document);
    if (sharing) sharing.push(device.row.id);
    else {
      pending.set(document, [device.row.id]);
      characters += document.length;
      if (characters > CHUNK_CHARACTERS) await testPending();
    }
  }
  if (pending.size > 0) await testPending();
  return matching;
}

/** The resolved document of a device, with some of its keys. */
function documentWith(keys: readonly string[], { row, levels }: HostWithLevels<HostRow>): string {
  const all = levels.allLevels(row, row);
  return documentOf(
    keys.flatMap((key): [string, string][] => {
      const value = decidingLevel(all, key)?.members.get(key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
