import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../core/context/request-context';
import type { QueryParameters } from '../core/parameters';
import { InventoryError } from '../core/errors';
import { join, sql } from '../database/sql';
import { parseVariableKey } from '../lists/list-filter';
import { LIMITS, parseLimit, parseUnpagedQuery } from '../lists/list-query';
import { parseValuePath } from '../variables/filter/vars-parser';
import { DeviceSelector, selectionParameters } from './device-selection';
import { groupRenderer, GROUPINGS, parseGroupings } from './grouping';
import { StatisticsReader } from './statistics-reader';
import { type Distribution, isOwnOnly, readDistributions, readSources } from './value-distribution';

const parameters = selectionParameters(['path', 'group_by', 'group_limit']);

/** What the devices of a distribution can be grouped by. */
export const VALUE_GROUPINGS = GROUPINGS.filter(({ name }) =>
  ['region', 'cell', 'label', 'kind'].includes(name),
);

/** The memory of PostgreSQL for one sort or hash table of a distribution. With the default, they use files. */
const SORT_MEMORY = '32MB';

/**
 * PostgreSQL's estimate of the cost of passing a row to another process, for variables that levels set. It expects more
 * groups of devices than there are, and with the default (0.1) counts all devices in one process: a fifth slower with two
 * processors. Own values are many different groups, which one process counts faster.
 */
const PARALLEL_TUPLE_COST = '0.01';

/** Counts the devices that resolve a variable to each of its values. */
@Injectable()
export class VariableValuesService {
  constructor(
    private readonly statistics: StatisticsReader,
    private readonly selector: DeviceSelector,
  ) {}

  /**
   * Reads the distribution of the resolved values of a variable over the selected devices. A variable that the caller
   * may not see looks like one that is not set.
   * @returns JSON text
   * @throws InventoryError 400 for a malformed key or query, 404 for a project, or a filter by a resource, that the
   *   caller cannot see, 503 if too many statistics are waiting
   */
  async read(ctx: RequestContext, key: string, query: QueryParameters): Promise<string> {
    const parsed = parseUnpagedQuery(query, parameters, 'preview');
    const valueOf = (name: string) => parsed.others.get(name)?.[0];
    const path = valueOf('path');
    const part = {
      key: ctx.visibility.keyOrUnmatchable(parseVariableKey('key', key)),
      path: path === undefined ? undefined : parseValuePath('path', path),
    };
    const [grouping, ...others] = parseGroupings(valueOf('group_by'), VALUE_GROUPINGS);
    if (others.length > 0) throw InventoryError.invalid('group_by', 'repeated', 'accepts only one name here');
    const limits = { values: parsed.limit, groups: parsed.limit };
    const groupLimit = valueOf('group_limit');
    if (groupLimit !== undefined) limits.groups = parseLimit(groupLimit, LIMITS.preview, 'group_limit');
    const projectId = await this.selector.projectOf(ctx, parsed);
    return this.statistics.snapshot(ctx, async (on) => {
      const selection = await this.selector.select(ctx, parsed, projectId, on);
      const sources = await readSources(part, projectId, on);
      const memory = sql`set_config('work_mem', ${SORT_MEMORY}, true)`;
      const parallel = sql`set_config('parallel_tuple_cost', ${PARALLEL_TUPLE_COST}, true)`;
      await on.rows(sql`SELECT ${join(isOwnOnly(sources) ? [memory] : [memory, parallel], ', ')}`);
      const [whole = EMPTY] = await readDistributions(part, sources, selection, undefined, limits, on);
      const members = [`"key":${JSON.stringify(key)}`, renderDistribution(whole)];
      if (grouping) {
        const groups = await readDistributions(part, sources, selection, grouping, limits, on);
        const keys = groups.map(({ group }) => group);
        const render = await groupRenderer(grouping, keys, projectId, on);
        const items = groups.map(
          (group) =>
            `{${JSON.stringify(grouping.name)}:${JSON.stringify(render(group.group))},${renderDistribution(group)}}`,
        );
        members.push(`"groups":[${items.join(',')}]`);
      }
      return `{${members.join(',')}}`;
    });
  }
}

const EMPTY: Distribution = { devices: 0, without: 0, distinct: 0, values: [] };

/** The members of a distribution. Values are JSON texts, so that numbers keep all digits. */
function renderDistribution({ devices, without, distinct, values }: Distribution): string {
  const counts = JSON.stringify({ devices, without, distinct }).slice(1, -1);
  const items = values.map((one) => `{"value":${one.value},"devices":${String(one.devices)}}`);
  return `${counts},"values":[${items.join(',')}]`;
}
