import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../database/database';
import { sql, type Sql } from '../../database/sql';
import type { Check, IntegrityFault, Finding } from './check';
import { changeForm, history, currentState } from './checks/change-records';
import { values, variables } from './checks/variables';
import { identifiers, names } from './checks/uniqueness';
import { proposals } from './checks/proposals';
import { parents, references } from './checks/references';

const checks: readonly Check[] = [
  references,
  parents,
  names,
  identifiers,
  variables,
  values,
  changeForm,
  history,
  currentState,
  proposals,
];

/** Checks the consistency of the stored data. */
@Injectable()
export class IntegrityCheckService {
  constructor(private readonly database: Database) {}

  /**
   * Runs all checks on one snapshot, and reports each as soon as it is done.
   * @param maxFaults the maximum number of reported faults of each check
   */
  async verify(maxFaults: number, onFinding: (finding: Finding) => void): Promise<void> {
    await this.database.snapshot(async (on) => {
      const parts = await this.database.tableParts();
      for (const check of checks)
        onFinding(await runCheck(check, check.spansProjects ? [sql``] : parts, maxFaults, on));
    });
  }
}

/** Runs a check for each part of the tables. @param parts see `Database.tableParts` */
async function runCheck(
  { name, invariant, counted, faults }: Check,
  parts: readonly Sql[],
  maxFaults: number,
  on: Queryable,
): Promise<Finding> {
  const total = { checked: 0, found: 0, faults: [] as IntegrityFault[] };
  for (const part of parts) {
    const [items] = await on.rows<{ count: number }>(sql`${part} ${counted}`);
    const limit = maxFaults - total.faults.length;
    const rows = await on.rows<IntegrityFault & { found: number } & Record<string, unknown>>(sql`${part}
      SELECT f.project_id, f.kind, f.id, f.problem, count(*) OVER () AS found FROM (${faults}) f
      ORDER BY f.project_id, f.kind, f.id, f.problem LIMIT ${Math.max(limit, 1)}`);
    total.checked += items?.count ?? 0;
    total.found += rows[0]?.found ?? 0;
    for (const { project_id, kind, id, problem } of rows.slice(0, limit))
      total.faults.push({ project_id, kind, id, problem });
  }
  return { check: { name, invariant }, ...total };
}
