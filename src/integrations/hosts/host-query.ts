import { host } from '../../devices/kinds/host/host';
import type { RequestContext } from '../../core/context/request-context';
import { inBatches } from '../../database/cursor';
import type { Queryable } from '../../database/database';
import { portions } from '../../database/adaptive-batches';
import { list, sql, type Sql } from '../../database/sql';
import { from } from '../../database/resource-sql';
import type { LevelSet, ResolutionTarget } from '../../variables/levels';
import { targetColumns, type VariableResolver } from '../../variables/variable-resolver';

type Row = Record<string, unknown>;

/** A host, and the levels that its variables resolve from. */
export interface ReadHost<R extends Row> {
  readonly row: R & ResolutionTarget;
  readonly levels: LevelSet;
}

const BATCH_ROWS = 2_000;

/** Reads the selected hosts of a project from one snapshot. Only a batch of them is in memory at a time. */
export class HostReading {
  constructor(
    /** The current context of the caller. */
    readonly ctx: RequestContext,
    private readonly resolver: VariableResolver,
    readonly on: Queryable,
    /** A query for the project and id of each selected host. */
    private readonly members: Sql,
  ) {}

  /**
   * Reads hosts with their levels, in the order of their ids.
   * @param columns of `t`, in addition to those for resolving
   */
  async *hosts<R extends Row>(columns: Sql): AsyncGenerator<ReadHost<R>> {
    const ids = sql`SELECT m.id FROM (${this.members}) AS m ORDER BY m.id`;
    const readBatch = (batch: readonly number[]) =>
      this.on.rows<
        R & ResolutionTarget & Row
      >(sql`SELECT ${targetColumns(host.listing.inheritance)}, ${columns}
        ${from(host.shape)} WHERE t.project_id = ${this.ctx.projectId} AND t.id = ANY(${list(batch)}::bigint[])
        ORDER BY t.id`);
    for await (const rows of portions(this.on, ids, readBatch, ({ own_variables: own }) => own.length)) {
      // A read-only snapshot sees only committed data, so the level cache can be used.
      const levels = await this.resolver.readLevelSet(this.ctx, rows, this.on, undefined, true);
      for (const row of rows) yield { row, levels };
    }
  }

  /** Reads hosts without their variables. @param rest the end of the statement, after the table `t` of hosts */
  async *rows<R extends Row>(columns: Sql, rest: Sql): AsyncGenerator<R> {
    const statement = sql`SELECT ${columns} FROM (${this.members}) AS m
      JOIN devices t ON t.project_id = m.project_id AND t.id = m.id ${rest}`;
    for await (const batch of inBatches<R>(this.on, statement, BATCH_ROWS)) yield* batch;
  }
}
