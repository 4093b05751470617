import { Injectable } from '@nestjs/common';
import { host } from '../../devices/kinds/host/host';
import type { RequestContext } from '../../core/context/request-context';
import { Database } from '../../database/database';
import { sql } from '../../database/sql';
import { from, inScope } from '../../database/resource-sql';
import type { ResolutionTarget } from '../../variables/levels';
import { targetColumns, VariableResolver } from '../../variables/variable-resolver';

/** Resolves the variables of single hosts by name, for configuration management. */
@Injectable()
export class NamedHosts {
  constructor(
    private readonly database: Database,
    private readonly resolver: VariableResolver,
  ) {}

  /**
   * Resolves the variables of a host of the project, as JSON text.
   * @returns undefined if the host does not exist
   */
  async variables(ctx: RequestContext, name: string): Promise<string | undefined> {
    const { shape, inheritance } = host.listing;
    const reader = this.database.reading(ctx);
    const columns = targetColumns(inheritance, undefined, { stamped: true });
    const hosts = await reader.rows<ResolutionTarget & Record<string, unknown>>(
      sql`SELECT ${columns} ${from(shape)} WHERE ${inScope(shape, { project: ctx.projectId })} AND t.name = ${name}`,
    );
    const [variables] = await this.resolver.resolve(ctx, hosts, reader);
    return variables;
  }
}
