import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../core/context/request-context';
import { shownTime } from '../../core/context/times';
import { InventoryError } from '../../core/errors';
import { appendMembers } from '../../core/json/json-text';
import { formatTime } from '../../core/parameters';
import type { Queryable } from '../../database/database';
import { and, sql } from '../../database/sql';
import { canSeeRecord } from '../visible-change';
import { GroupCounts } from '../../impact/group-counts';
import type { ChangeRange } from './candidate-devices';
import {
  assertDeviceMarker,
  impactPageText,
  MAX_COUNTING_COST,
  type PastImpactPage,
  PastImpactService,
} from './past-impact.service';

/** Selects changes by their times, as the filters of the list do. */
export interface Period {
  /** The beginning, which belongs to it. */
  readonly since: string;
  /** The end, which does not; undefined: now. */
  readonly until: string | undefined;
  /** Counts only the changes of this variable. */
  readonly key: string | undefined;
}

/** The maximum number of changes in a period. */
export const MAX_CHANGES = 50_000;

/** Selects a page of the devices of a group. */
export interface GroupPage {
  readonly period: Omit<Period, 'key'>;
  /** See `groupIdOf`. */
  readonly groupId: string;
  readonly page: PastImpactPage;
}

/** The changes of a period. */
interface ChangesOfPeriod {
  /** How many the caller can see. */
  readonly visible: number;
  /** From the first to the last one, whether or not the caller can see them; undefined if there are none. */
  readonly range: ChangeRange | undefined;
}

/** Computes what all changes of a period together altered. */
@Injectable()
export class NetImpactService {
  constructor(private readonly impacts: PastImpactService) {}

  /**
   * Compares the resolved variables of devices at two moments, as JSON text. What was altered and restored between them is no
   * difference.
   * @throws InventoryError 400 if the period has too many changes or devices, 503 if too many counts are running
   */
  async show(ctx: RequestContext, period: Period, disconnected: AbortSignal): Promise<string> {
    const { since, until, key } = period;
    return this.impacts.counting(ctx, disconnected, async (on, budget) => {
      const { visible, range } = await readPeriod(ctx, period, on);
      const { devices, isComplete, groups } = range
        ? await this.impacts.count(ctx, range, on, budget, key)
        : { devices: 0, isComplete: true, groups: new GroupCounts() };
      if (!isComplete)
        throw InventoryError.invalid(
          'since',
          'limit_exceeded',
          `the changes can have affected more than about ${MAX_COUNTING_COST.toLocaleString('en')} devices, or counting them takes too long; choose a shorter period`,
        );
      const head = {
        since: shownTime(ctx, formatTime(since)),
        until: until === undefined ? null : shownTime(ctx, formatTime(until)),
        changes: visible,
        devices,
      };
      return appendMembers(JSON.stringify(head), groups.members);
    });
  }

  /**
   * A page of the devices of a group, which `show` has counted, as JSON text.
   * @throws InventoryError 400 if the period has too many changes, or if the marker is not the id of a device, 503 if too many
   * counts are running
   */
  async devices(
    ctx: RequestContext,
    { period, groupId, page }: GroupPage,
    disconnected: AbortSignal,
  ): Promise<string> {
    return this.impacts.counting(ctx, disconnected, async (on, budget) => {
      const { range } = await readPeriod(ctx, period, on);
      if (page.marker !== undefined) await assertDeviceMarker(ctx, page.marker, on);
      const impact = range
        ? await this.impacts.read(ctx, range, page, on, { id: groupId, budget })
        : { items: [], next: undefined, cost: 0 };
      const query = new URLSearchParams({
        since: formatTime(period.since),
        ...(period.until === undefined ? {} : { until: formatTime(period.until) }),
        group: groupId,
        limit: String(page.limit),
      });
      return impactPageText(`${ctx.base}/v1/changes/impact/devices?${query.toString()}`, impact);
    });
  }
}

/** @throws InventoryError 400 if there are too many changes */
async function readPeriod(
  ctx: RequestContext,
  { since, until }: Omit<Period, 'key'>,
  on: Queryable,
): Promise<ChangesOfPeriod> {
  const { projectId } = ctx;
  const isInPeriod = and([
    sql`c.project_id = ${projectId} AND c.created_at >= ${since}::timestamptz`,
    ...(until === undefined ? [] : [sql`c.created_at < ${until}::timestamptz`]),
  ]);
  const [row] = await on.rows<{ total: number; visible: number; first: number | null; last: number | null }>(
    sql`SELECT count(*) AS total, count(*) FILTER (WHERE ${canSeeRecord(ctx, 'c')}) AS visible, min(c.id) AS first,
      max(c.id) AS last FROM (
        SELECT c.project_id, c.id FROM changes c WHERE ${isInPeriod} ORDER BY c.created_at LIMIT ${MAX_CHANGES + 1}
      ) c`,
    'custom',
  );
  if (!row) throw new Error('a query for one row found none');
  const { total, visible, first, last } = row;
  if (total > MAX_CHANGES)
    throw InventoryError.invalid(
      'since',
      'limit_exceeded',
      `there are more than ${MAX_CHANGES.toLocaleString('en')} changes; choose a shorter period`,
    );
  return { visible, range: first === null || last === null ? undefined : { projectId, first, last } };
}
