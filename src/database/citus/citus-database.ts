import type { QueryResult, QueryResultRow } from 'pg';
import type { ProjectScope } from '../../core/context/request-context';
import { Database, type NodeCounts } from '../database';
import type { Connected, PlanMode, Statement } from '../queryable';
import type { ResourceMapping } from '../resource-mapping';
import { projectsOf } from '../resource-sql';
import type { CachedRows, RowCache } from '../row-cache';
import { arrayParameter, join, raw, sql, type Sql } from '../sql';
import { PROJECT_TABLES } from '../tables';
import { citusError } from './citus-errors';
import { citusRowCache } from './citus-row-cache';
import { citusStatement } from './citus-statement';
import { citusTransaction } from './citus-transaction';

/** Counts the nodes with projects. Connecting to one that does not respond takes up to 30 seconds. */
const NODE_COUNTS = sql`SELECT count(*) AS nodes, count(*) FILTER (WHERE NOT success) AS unreachable
  FROM run_command_on_workers('SELECT 1')`;

/**
 * A database whose tables are distributed by Citus: the rows of a project are on one node. Statements are written for
 * PostgreSQL. Those about one project are sent to its node; what cannot be one statement about all projects is several.
 */
export class CitusDatabase extends Database {
  protected override readonly newTransaction = citusTransaction;

  protected override async send<T extends QueryResultRow>(
    on: Connected,
    statement: Statement,
    planning?: PlanMode,
    timeoutMs?: number,
  ): Promise<QueryResult<T>> {
    try {
      return await super.send<T>(on, citusStatement(statement), planning, timeoutMs);
    } catch (error) {
      throw this.interpret(error);
    }
  }

  protected override interpret(error: unknown): unknown {
    return citusError(error);
  }

  /** One statement can read several projects only from the table of the projects itself, which is on every node. */
  override async statementScopes(mapping: ResourceMapping, scope: ProjectScope): Promise<ProjectScope[]> {
    if (scope !== 'every project' || mapping.idType === 'uuid') return [scope];
    const rows = await this.rows<{ project_id: string }>(projectsOf(mapping));
    return rows.map(({ project_id: project }) => ({ project }));
  }

  override splitByProject<T extends { readonly project_id: string }>(rows: readonly T[]): (readonly T[])[] {
    const byProject = new Map<string, T[]>();
    for (const row of rows) {
      const others = byProject.get(row.project_id);
      if (others) others.push(row);
      else byProject.set(row.project_id, [row]);
    }
    return [...byProject.values()];
  }

  override async tableParts(): Promise<Sql[]> {
    const projects = await this.rows<{ id: string }>(
      sql`SELECT id FROM projects UNION SELECT project_id FROM changes`,
    );
    return projects.map(({ id }) => {
      const rowsOf = (table: string, column: string) =>
        sql`${raw(table)} AS NOT MATERIALIZED (SELECT * FROM ${raw(table)} WHERE ${raw(column)} = ${id}::uuid)`;
      return sql`WITH ${join([rowsOf('projects', 'id'), ...PROJECT_TABLES.map((table) => rowsOf(table, 'project_id'))])}`;
    });
  }

  override rowCache<T extends object>(cached: CachedRows<T>): RowCache<T> {
    return citusRowCache(cached, async (ids) => {
      const rows = await this.rows<{ id: string }>(
        sql`SELECT p.id FROM projects p WHERE p.id = ANY(${arrayParameter(ids)}::uuid[])`,
      );
      return new Map(rows.map(({ id }) => [id, true]));
    });
  }

  override async nodeCounts(): Promise<NodeCounts | undefined> {
    const [counts] = await this.rows<NodeCounts & QueryResultRow>(NODE_COUNTS);
    return counts;
  }
}
