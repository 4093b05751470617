import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../database/database';
import { sql } from '../../database/sql';
import type { Check, IntegrityFault, Finding } from './check';
import { changeForm, history } from './checks/change-records';
import { currentState } from './checks/current-state';
import { identifiers } from './checks/identifiers';
import { names } from './checks/names';
import { parents, references } from './checks/references';
import { variables } from './checks/variables';

const checks: readonly Check[] = [
  references,
  parents,
  names,
  identifiers,
  variables,
  changeForm,
  history,
  currentState,
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
      for (const check of checks) onFinding(await runCheck(check, maxFaults, on));
    });
  }
}

async function runCheck(check: Check, maxFaults: number, on: Queryable): Promise<Finding> {
  const [counted] = await on.rows<{ count: number }>(check.counted);
  const rows = await on.rows<IntegrityFault & { found: number } & Record<string, unknown>>(sql`
    SELECT f.project_id, f.kind, f.id, f.problem, count(*) OVER () AS found FROM (${check.faults}) f
    ORDER BY f.project_id, f.kind, f.id, f.problem LIMIT ${maxFaults}`);
  return {
    check: { name: check.name, invariant: check.invariant },
    checked: counted?.count ?? 0,
    found: rows[0]?.found ?? 0,
    faults: rows.map(({ project_id, kind, id, problem }) => ({ project_id, kind, id, problem })),
  };
}
