import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { RequestContext } from '../core/context/request-context';
import { shownTime } from '../core/context/times';
import { InventoryError } from '../core/errors';
import { type QueryParameters, formatTime, timeValue } from '../core/parameters';
import { Database, type Queryable } from '../database/database';
import { timestampText } from '../database/resource-mapping';
import { arrayParameter, raw, sql, type Sql } from '../database/sql';
import { parseUnpagedQuery, type ListParameters } from '../lists/list-query';
import { selectionStatement } from '../lists/selection';
import { ListFilterCompiler } from '../resources/list-filter-compiler';
import { ResourceReader } from '../resources/resource-reader';
import { changeRecords } from './change-record';
import { TimeProperty } from '../http/time-property';

/** The bounds and the default of the number of intervals. */
export const INTERVAL_COUNT = { min: 1, max: 500, default: 60 } as const;

const parameters: ListParameters = {
  members: [],
  filters: changeRecords.filters,
  common: ['project_id'],
  others: [{ name: 'intervals' }],
};

/** The number of changes in an interval. */
class ChangeIntervalView {
  @TimeProperty({
    example: '2017-02-16T14:00:00.000000',
    description: 'The beginning. With `since` and `until` as filters, `GET /v1/changes` lists the changes.',
  })
  since!: string;

  @TimeProperty({
    example: '2017-02-16T15:00:00.000000',
    description: 'The end, which does not belong to the interval.',
  })
  until!: string;

  @ApiProperty({ type: 'integer', example: 3 })
  changes!: number;
}

export class ChangeCountsView {
  @ApiProperty({ type: 'integer', example: 3, description: 'The number of changes that match the filters.' })
  changes!: number;

  @ApiProperty({
    type: [ChangeIntervalView],
    description:
      'The intervals in order of time, without gaps. Their lengths differ by at most one microsecond. There are fewer than requested only if the whole range has fewer microseconds than that, and none if it is empty.',
  })
  intervals!: ChangeIntervalView[];
}

/** Counts changes in intervals of time. */
@Injectable()
export class ChangeCountsService {
  constructor(
    private readonly database: Database,
    private readonly filters: ListFilterCompiler,
    private readonly reader: ResourceReader,
  ) {}

  /**
   * Counts the changes that the list shows to the caller. The intervals reach from `since` to `until`, or else from the
   * oldest to the newest matching change.
   * @throws InventoryError 400 for a malformed query, 404 for a project that the caller cannot see
   */
  async count(ctx: RequestContext, query: QueryParameters): Promise<ChangeCountsView> {
    const parsed = parseUnpagedQuery(query, parameters, 'array');
    const valueOf = (name: string) => parsed.others.get(name)?.[0];
    const intervals = parseIntervalCount(valueOf('intervals'));
    const { mapping } = changeRecords;
    if (parsed.projectId !== undefined) await this.reader.scopeOf(ctx, mapping, parsed.projectId);
    const scope = { project: parsed.projectId ?? ctx.projectId };
    // The snapshot contains the same changes for both statements.
    return this.database.reader(ctx).snapshot(async (on) => {
      const selection = await this.filters.compile(ctx, changeRecords, parsed, scope, on);
      const times = selectionStatement(mapping, scope, selection, sql`t.created_at`);
      const [since, until] = [valueOf('since'), valueOf('until')];
      const range =
        since !== undefined && until !== undefined
          ? { begin: parseMicroseconds('since', since), end: parseMicroseconds('until', until) }
          : await readRange(times, { since, until }, on);
      return countIn(ctx, range && boundariesOf(range, intervals), times, on);
    });
  }
}

/** A range of time in microseconds since 1970, without its end. PostgreSQL stores times to the microsecond. */
interface Range {
  readonly begin: bigint;
  readonly end: bigint;
}

/** @throws InventoryError 400 */
function parseIntervalCount(text: string | undefined): number {
  const { min, max, default: byDefault } = INTERVAL_COUNT;
  if (text === undefined) return byDefault;
  const intervals = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (intervals >= min && intervals <= max) return intervals;
  throw InventoryError.invalid(
    'intervals',
    'out_of_range',
    `must be an integer from ${String(min)} to ${String(max)}`,
  );
}

const parseMicroseconds = (name: string, text: string): bigint => microsecondsOf(timeValue(name, text));

function microsecondsOf(time: string): bigint {
  const [seconds = '', fraction = ''] = formatTime(time).split('.');
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000n + BigInt(fraction);
}

const MICROSECONDS = 1_000_000n;

/** A time as responses show it. */
function timeAt(microseconds: bigint): string {
  // The fraction of a time before 1970 is not negative either.
  const fraction = ((microseconds % MICROSECONDS) + MICROSECONDS) % MICROSECONDS;
  const seconds = new Date(Number((microseconds - fraction) / 1_000n)).toISOString();
  return `${seconds.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}.${String(fraction).padStart(6, '0')}`;
}

/** The range of the matching changes, unless a filter limits it. @returns undefined if no change matches */
async function readRange(
  times: Sql,
  { since, until }: { readonly since: string | undefined; readonly until: string | undefined },
  on: Queryable,
): Promise<Range | undefined> {
  const [row] = await on.rows<{ oldest: string | null; newest: string | null }>(
    sql`SELECT ${raw(timestampText('min(t.created_at)'))} AS oldest, ${raw(timestampText('max(t.created_at)'))} AS newest
      FROM (${times}) t`,
    'custom',
  );
  if (!row || row.oldest === null || row.newest === null) return undefined;
  return {
    begin: since === undefined ? microsecondsOf(row.oldest) : parseMicroseconds('since', since),
    // The newest change belongs to the last interval.
    end: until === undefined ? microsecondsOf(row.newest) + 1n : parseMicroseconds('until', until),
  };
}

/** The boundaries of intervals that are equally long, except for fractions of a microsecond. */
function boundariesOf({ begin, end }: Range, intervals: number): string[] {
  const length = end - begin;
  if (length <= 0n) return [];
  const count = length < BigInt(intervals) ? Number(length) : intervals;
  return Array.from({ length: count + 1 }, (_, i) => timeAt(begin + (length * BigInt(i)) / BigInt(count)));
}

/** @param boundaries the first begins the first interval, the last ends the last one */
async function countIn(
  ctx: RequestContext,
  boundaries: readonly string[] | undefined,
  times: Sql,
  on: Queryable,
): Promise<ChangeCountsView> {
  if (!boundaries || boundaries.length === 0) return { changes: 0, intervals: [] };
  const begins = boundaries.slice(0, -1);
  const rows = await on.rows<{ number: number; changes: number }>(
    sql`SELECT width_bucket(t.created_at, ${arrayParameter(begins.map((time) => `${time}Z`))}::timestamptz[]) AS number,
        count(*) AS changes FROM (${times}) t GROUP BY 1`,
    'custom',
  );
  const counts = new Map(rows.map(({ number, changes }) => [number, changes]));
  return {
    changes: rows.reduce((sum, { changes }) => sum + changes, 0),
    intervals: begins.map((since, i) => ({
      since: shownTime(ctx, since),
      until: shownTime(ctx, boundaries[i + 1] ?? ''),
      changes: counts.get(i + 1) ?? 0,
    })),
  };
}
