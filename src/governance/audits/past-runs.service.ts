import { Injectable, Logger } from '@nestjs/common';
import type { RequestContext } from '../../core/context/request-context';
import { shownTime } from '../../core/context/times';
import { Database, type Queryable, type Transaction } from '../../database/database';
import { timestampText } from '../../database/resource-mapping';
import { arrayParameter, raw, sql } from '../../database/sql';
import { readAudit, type StoredAudit } from './audit-target';
import type { RunBudget } from './run-budget';

/** The audited devices of a cell, or those of a region that are in no cell. */
export interface LocationCounts {
  readonly region_id: number;
  readonly cell_id: number | null;
  readonly devices: number;
  readonly failed: number;
}

/** What is stored of a run. */
export interface RunCounts {
  readonly audit: StoredAudit;
  readonly devices: number;
  readonly passed: number;
  /** In each location that has audited devices. */
  readonly locations: readonly LocationCounts[];
}

interface FailureCounts {
  readonly devices: number;
  readonly failed: number;
}

/** A region or a cell, with its name at the time of the run. */
interface NamedLocation {
  readonly id: number;
  readonly name: string;
}

/** The failing devices of a region. */
type RegionFailures = NamedLocation & FailureCounts;

/** The failing devices of a cell. */
interface CellFailures extends NamedLocation, FailureCounts {
  readonly region: NamedLocation;
}

/** A past run. */
export interface PastRun {
  readonly created_at: string;
  /** `null` if the project hides other users from the caller. */
  readonly username: string | null;
  readonly devices: number;
  readonly failed: number;
  /** The regions with the most failing devices, in descending order of their number. */
  readonly regions: readonly RegionFailures[];
  /** The cells with the most failing devices, in descending order of their number. */
  readonly cells: readonly CellFailures[];
}

/** The runs of an audit that are kept: the last ones. */
export const MAX_KEPT_RUNS = 50;
/** The regions of a run that are kept, and the cells. */
export const MAX_KEPT_LOCATIONS = 20;

/** Adds up the counts of each region. */
function byRegion(locations: readonly LocationCounts[]): (FailureCounts & { readonly id: number })[] {
  const counts = new Map<number, FailureCounts>();
  for (const { region_id: id, devices, failed } of locations) {
    const sum = counts.get(id) ?? { devices: 0, failed: 0 };
    counts.set(id, { devices: sum.devices + devices, failed: sum.failed + failed });
  }
  return [...counts].map(([id, sum]) => ({ id, ...sum }));
}

/** The counts of each cell. A cell is in one region, so it is one location. */
const byCell = (
  locations: readonly LocationCounts[],
): (FailureCounts & { readonly id: number; readonly regionId: number })[] =>
  locations.flatMap(({ region_id: regionId, cell_id: id, devices, failed }) =>
    id === null ? [] : [{ id, regionId, devices, failed }],
  );

/** The regions or cells with the most failing devices, in descending order of their number. */
const mostFailing = <Counts extends FailureCounts & { readonly id: number }>(
  counts: readonly Counts[],
): Counts[] =>
  counts
    .filter(({ failed }) => failed > 0)
    .sort((a, b) => b.failed - a.failed || a.id - b.id)
    .slice(0, MAX_KEPT_LOCATIONS);

/** The past runs of audits: the counts of the last ones of each. */
@Injectable()
export class PastRunsService {
  private readonly log = new Logger('Audits');

  constructor(private readonly database: Database) {}

  /**
   * Stores the counts of a run, and deletes those of old runs. An error is logged and not thrown: the run has its result, which
   * the caller waited for, and the counts only serve to compare it with later ones.
   */
  async store(ctx: RequestContext, counts: RunCounts, budget: RunBudget): Promise<void> {
    try {
      await this.insert(ctx, counts, budget);
    } catch (error) {
      this.log.warn(`The run of the audit ${String(counts.audit.id)} could not be stored: ${String(error)}`);
    }
  }

  private async insert(
    ctx: RequestContext,
    { audit, devices, passed, locations }: RunCounts,
    budget: RunBudget,
  ): Promise<void> {
    const { principal } = ctx;
    const { projectId, id } = audit;
    const failingRegions = mostFailing(byRegion(locations));
    const failingCells = mostFailing(byCell(locations));
    const insertRun = async (tx: Transaction) => {
      await budget.limitStatements(tx);
      const regionName = await namesOf(tx, projectId, 'regions', [
        ...failingRegions.map((region) => region.id),
        ...failingCells.map((cell) => cell.regionId),
      ]);
      const cellName = await namesOf(
        tx,
        projectId,
        'cells',
        failingCells.map((cell) => cell.id),
      );
      const regions = failingRegions.map((region) => ({ name: regionName(region.id), ...region }));
      const cells = failingCells.map(({ regionId, ...cell }) => ({
        name: cellName(cell.id),
        region: { id: regionId, name: regionName(regionId) },
        ...cell,
      }));
      // The audit can have been deleted meanwhile.
      await tx.execute(sql`
        INSERT INTO audit_runs (project_id, audit_id, definition, user_id, username, devices, failed, regions, cells)
        SELECT a.project_id, a.id, ${audit.definition}, ${principal.userId}, ${principal.username}, ${devices},
          ${devices - passed}, ${JSON.stringify(regions)}::jsonb, ${JSON.stringify(cells)}::jsonb
        FROM audits a WHERE a.project_id = ${projectId} AND a.id = ${id}`);
      await tx.execute(sql`DELETE FROM audit_runs d WHERE d.project_id = ${projectId} AND d.audit_id = ${id}
        AND d.id <= (SELECT r.id FROM audit_runs r WHERE r.project_id = ${projectId} AND r.audit_id = ${id}
          ORDER BY r.id DESC OFFSET ${MAX_KEPT_RUNS} LIMIT 1)`);
    };
    await this.database.transaction(insertRun, { caller: ctx });
  }

  /**
   * The past runs of an audit as it is defined now, the latest first. From the primary: a client that ran the audit has no
   * consistency token for it, because no change was recorded.
   * @throws InventoryError 404 if the caller cannot see the audit
   */
  async list(ctx: RequestContext, id: number): Promise<readonly PastRun[]> {
    const { projectId, definition } = await readAudit(ctx, id, this.database);
    const rows = await this.database.rows<
      PastRun & { readonly user_id: number } & Record<string, unknown>
    >(sql`
        SELECT ${raw(timestampText('r.created_at'))} AS created_at, r.user_id, r.username, r.devices, r.failed, r.regions, r.cells
        FROM audit_runs r WHERE r.project_id = ${projectId} AND r.audit_id = ${id} AND r.definition = ${definition}
        ORDER BY r.id DESC LIMIT ${MAX_KEPT_RUNS}`);
    return rows.map(({ user_id: userId, username, created_at, devices, failed, regions, cells }) => ({
      created_at: shownTime(ctx, created_at),
      username: ctx.isRestricted === true && userId !== ctx.principal.userId ? null : username,
      devices,
      failed,
      regions,
      cells,
    }));
  }
}

/** Reads the names of regions or cells. @returns the name of an id; the id itself for a deleted one */
async function namesOf(
  on: Queryable,
  projectId: string,
  table: 'regions' | 'cells',
  ids: readonly number[],
): Promise<(id: number) => string> {
  const rows = await on.rows<{ id: number; name: string }>(sql`SELECT t.id, t.name FROM ${raw(table)} t
    WHERE t.project_id = ${projectId} AND t.id = ANY(${arrayParameter(ids)}::bigint[])`);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? String(id);
}
