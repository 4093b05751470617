import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../database/database';
import { join, raw, sql } from '../../database/sql';
import { CITUS_TABLES, DISTRIBUTION_COLUMN } from '../distribute-tables';
import type { Check, IntegrityFault, Finding } from './check';
import { changeForm, history, currentState } from './checks/change-records';
import { variables } from './checks/variables';
import { identifiers, names } from './checks/uniqueness';
import { parents, references } from './checks/references';

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
   * Runs all checks on one snapshot, and reports each as soon as it is done. In a distributed database, they run for one
   * project after the other.
   * @param maxFaults the maximum number of reported faults of each check
   */
  async verify(maxFaults: number, onFinding: (finding: Finding) => void): Promise<void> {
    const isDistributed = await this.database.isDistributed();
    await this.database.snapshot(async (on) => {
      for (const check of checks) {
        const run = isDistributed && !check.spansProjects ? runByProject : runCheck;
        onFinding(await run(check, maxFaults, on));
      }
    });
  }
}

/**
 * Runs a check for each project on its node. Queries in front of the check have the names of the tables and select the
 * rows of the project, so that its own queries need not name the project.
 */
async function runByProject(check: Check, maxFaults: number, on: Queryable): Promise<Finding> {
  const projects = await on.rows<{ id: string }>(
    sql`SELECT id FROM projects UNION SELECT project_id FROM changes`,
  );
  const total = { checked: 0, found: 0, faults: [] as IntegrityFault[] };
  for (const { id } of projects) {
    const rowsOf = (table: string, column: string) =>
      sql`${raw(table)} AS NOT MATERIALIZED (SELECT * FROM ${raw(table)} WHERE ${raw(column)} = ${id}::uuid)`;
    const ofProject = sql`WITH ${join([
      rowsOf('projects', 'id'),
      ...CITUS_TABLES.distributed.map((table) => rowsOf(table, DISTRIBUTION_COLUMN)),
    ])}`;
    const { checked, found, faults } = await runCheck(check, maxFaults - total.faults.length, on, ofProject);
    total.checked += checked;
    total.found += found;
    total.faults.push(...faults);
  }
  return { check: { name: check.name, invariant: check.invariant }, ...total };
}

/** @param before queries that the check refers to, as SQL */
async function runCheck(check: Check, maxFaults: number, on: Queryable, before = sql``): Promise<Finding> {
  const [counted] = await on.rows<{ count: number }>(sql`${before} ${check.counted}`);
  const rows = await on.rows<IntegrityFault & { found: number } & Record<string, unknown>>(sql`${before}
    SELECT f.project_id, f.kind, f.id, f.problem, count(*) OVER () AS found FROM (${check.faults}) f
    ORDER BY f.project_id, f.kind, f.id, f.problem LIMIT ${Math.max(maxFaults, 1)}`);
  return {
    check: { name: check.name, invariant: check.invariant },
    checked: counted?.count ?? 0,
    found: rows[0]?.found ?? 0,
    faults: rows
      .slice(0, maxFaults)
      .map(({ project_id, kind, id, problem }) => ({ project_id, kind, id, problem })),
  };
}
