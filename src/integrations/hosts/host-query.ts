import { host } from '../../devices/kinds/host/host';
import type { RequestContext } from '../../core/context/request-context';
import { inBatches } from '../../database/cursor';
import type { Queryable } from '../../database/database';
import { portions } from '../../database/adaptive-batches';
import { list, sql, type Sql } from '../../database/sql';
import { from } from '../../database/resource-sql';
import type { Levels, Subject } from '../../variables/levels';
import { subjectColumns } from '../../variables/target-columns';
import type { VariableResolver } from '../../variables/variable-resolver';

type Row = Record<string, unknown>;

/** A host, and the levels that its variables are resolved from. */
export interface ReadHost<R extends Row> {
  readonly row: R & Subject;
  readonly levels: Levels;
}

/** In rows. */
const BATCH = 2_000;

/** The chosen hosts of a project on one state of the database: however many they are, few are held at a time. */
export class HostReading {
  constructor(
    /** Who reads, by the rights of now. */
    readonly ctx: RequestContext,
    private readonly resolver: VariableResolver,
    readonly on: Queryable,
    /** The project and id of each. */
    private readonly members: Sql,
  ) {}

  /** One by one, in the order of their ids. @param columns of `t`, beside those that resolving takes */
  async *hosts<R extends Row>(columns: Sql): AsyncGenerator<ReadHost<R>> {
    const ids = sql`SELECT m.id FROM (${this.members}) AS m ORDER BY m.id`;
    const read = (part: readonly number[]) =>
      this.on.rows<R & Subject & Row>(sql`SELECT ${subjectColumns(host.listing.inheritance)}, ${columns}
        ${from(host.shape)} WHERE t.project_id = ${this.ctx.projectId} AND t.id = ANY(${list(part)}::bigint[])
        ORDER BY t.id`);
    for await (const rows of portions(this.on, ids, read, ({ own_variables: own }) => own.length)) {
      // A snapshot that only reads sees nothing but what is committed: what is known of levels serves, and is kept.
      const levels = await this.resolver.levels(this.ctx, rows, this.on, undefined, true);
      for (const row of rows) yield { row, levels };
    }
  }

  /** What can be said of them without their variables. @param rest of a statement, after the hosts `t` */
  async *rows<R extends Row>(columns: Sql, rest: Sql): AsyncGenerator<R> {
    const statement = sql`SELECT ${columns} FROM (${this.members}) AS m
      JOIN devices t ON t.project_id = m.project_id AND t.id = m.id ${rest}`;
    for await (const batch of inBatches<R>(this.on, statement, BATCH)) yield* batch;
  }
}
