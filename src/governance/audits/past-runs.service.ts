import { Injectable, Logger } from '@nestjs/common';
import type { RequestContext } from '../../core/context/request-context';
import { shownTime } from '../../core/context/times';
import { Database, type Transaction } from '../../database/database';
import { timestampText } from '../../database/resource-mapping';
import { arrayParameter, raw, sql } from '../../database/sql';
import { readAudit, type StoredAudit } from './audit-target';
import type { RunBudget } from './run-budget';

/** The audited devices of a region. */
export interface RegionCounts {
  readonly region: number;
  readonly devices: number;
  readonly passed: number;
}

/** What is stored of a run. */
export interface RunCounts {
  readonly audit: StoredAudit;
  readonly devices: number;
  readonly passed: number;
  /** In each region that has audited devices. */
  readonly regions: readonly RegionCounts[];
}

/** The failing devices of a region, with the name that the region had. */
interface RegionFailures {
  readonly id: number;
  readonly name: string;
  readonly devices: number;
  readonly failed: number;
}

/** A past run. */
export interface PastRun {
  readonly created_at: string;
  /** `null` if the project hides other users from the caller. */
  readonly username: string | null;
  readonly devices: number;
  readonly failed: number;
  /** Those with the most failing devices, the most first. */
  readonly regions: readonly RegionFailures[];
}

/** The runs of an audit that are kept: the last ones. */
export const MAX_KEPT_RUNS = 50;
/** The regions of a run that are kept. */
export const MAX_KEPT_REGIONS = 20;

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
    { audit, devices, passed, regions }: RunCounts,
    budget: RunBudget,
  ): Promise<void> {
    const { principal } = ctx;
    const { projectId, id } = audit;
    const worst = regions
      .map(({ region, ...counts }) => ({
        id: region,
        devices: counts.devices,
        failed: counts.devices - counts.passed,
      }))
      .filter(({ failed }) => failed > 0)
      .sort((a, b) => b.failed - a.failed || a.id - b.id)
      .slice(0, MAX_KEPT_REGIONS);
    const insertRun = async (tx: Transaction) => {
      await budget.limitStatements(tx);
      const names = await tx.rows<{ id: number; name: string }>(sql`SELECT r.id, r.name FROM regions r
        WHERE r.project_id = ${projectId} AND r.id = ANY(${arrayParameter(worst.map((region) => region.id))}::bigint[])`);
      const nameOf = new Map(names.map((region) => [region.id, region.name]));
      const stored = worst.map((region) => ({ name: nameOf.get(region.id) ?? String(region.id), ...region }));
      // The audit can have been deleted meanwhile.
      await tx.execute(sql`
        INSERT INTO audit_runs (project_id, audit_id, definition, user_id, username, devices, failed, regions)
        SELECT a.project_id, a.id, ${audit.definition}, ${principal.userId}, ${principal.username}, ${devices},
          ${devices - passed}, ${JSON.stringify(stored)}::jsonb
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
        SELECT ${raw(timestampText('r.created_at'))} AS created_at, r.user_id, r.username, r.devices, r.failed, r.regions
        FROM audit_runs r WHERE r.project_id = ${projectId} AND r.audit_id = ${id} AND r.definition = ${definition}
        ORDER BY r.id DESC LIMIT ${MAX_KEPT_RUNS}`);
    return rows.map(({ user_id: userId, username, created_at, devices, failed, regions }) => ({
      created_at: shownTime(ctx, created_at),
      username: ctx.isRestricted === true && userId !== ctx.principal.userId ? null : username,
      devices,
      failed,
      regions,
    }));
  }
}
