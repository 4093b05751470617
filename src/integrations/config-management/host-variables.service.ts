import { Injectable } from '@nestjs/common';
import { host } from '../../devices/kinds/host/host';
import type { RequestContext } from '../../core/context/request-context';
import { Database } from '../../database/database';
import { sql } from '../../database/sql';
import { from, inScope } from '../../database/resource-sql';
import type { ResolutionTarget } from '../../variables/levels';
import { targetColumns, VariableResolver } from '../../variables/variable-resolver';
import { InventoryError } from '../../core/errors/inventory-error';
import { parseStorableText } from '../../list/list-filter';

/** Resolves the variables of single hosts by name, for configuration management. */
@Injectable()
export class HostVariablesService {
  constructor(
    private readonly database: Database,
    private readonly resolver: VariableResolver,
  ) {}

  /**
   * Resolves the variables of a host of the project, as JSON text.
   * @returns undefined if the host does not exist
   */
  async resolveVariables(ctx: RequestContext, name: string): Promise<string | undefined> {
    const { shape, inheritance } = host.definition;
    const reader = this.database.reader(ctx);
    const columns = targetColumns(inheritance, undefined, { stamped: true });
    const hosts = await reader.rows<ResolutionTarget & Record<string, unknown>>(
      sql`SELECT ${columns} ${from(shape)} WHERE ${inScope(shape, { project: ctx.projectId })} AND t.name = ${name}`,
    );
    const [variables] = await this.resolver.resolve(ctx, hosts, reader);
    return variables;
  }
}

/** Parses the required parameter `host`. @throws InventoryError 400 */
export function parseHostName(text: string | undefined): string {
  if (text === undefined || text === '')
    throw InventoryError.invalid('host', 'must be given: the name of a host');
  return parseStorableText('host', text);
}
