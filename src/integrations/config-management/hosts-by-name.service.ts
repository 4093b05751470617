import { Injectable } from '@nestjs/common';
import { host } from '../../devices/kinds/host/host';
import type { RequestContext } from '../../core/context/request-context';
import { Database } from '../../database/database';
import { sql } from '../../database/sql';
import { from, inScope } from '../../database/resource-sql';
import type { Subject } from '../../variables/levels';
import { subjectColumns } from '../../variables/target-columns';
import { VariableResolver } from '../../variables/variable-resolver';

/** Hosts as configuration management knows them: by their names, and for their variables. */
@Injectable()
export class NamedHosts {
  constructor(
    private readonly database: Database,
    private readonly resolver: VariableResolver,
  ) {}

  /**
   * The resolved variables of a host of the project of the request, as JSON text.
   * @returns undefined where there is no such host
   */
  async variables(ctx: RequestContext, name: string): Promise<string | undefined> {
    const { shape, inheritance } = host.listing;
    const reading = this.database.reading(ctx);
    const columns = subjectColumns(inheritance, undefined, { stamped: true });
    const hosts = await reading.rows<Subject & Record<string, unknown>>(
      sql`SELECT ${columns} ${from(shape)} WHERE ${inScope(shape, { project: ctx.projectId })} AND t.name = ${name}`,
    );
    const [variables] = await this.resolver.resolve(ctx, hosts, reading);
    return variables;
  }
}
