import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { SETTINGS, type Settings } from '../../core/context/app-settings';
import { visibleProjects, type RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import type { Answer } from '../../http/response';
import { listAddress, listAnswer } from '../../http/list-response';
import { textsOf } from '../../core/query-parameters';
import { limitOf, LIMITS } from '../../list/list-query';
import { Database } from '../../database/database';
import { sql } from '../../database/sql';
import { from, inScope, namesVisibleKeys } from '../../database/resource-sql';
import type { Fault } from '../schemas/compile-schema';
import { JsonSchemas, TooHard } from '../schemas/schema-validation';
import { markerOf, placeOf, placesOf, type Place, type SetVariable } from './set-variables';
import { variableDefinitionShape } from './variable-definition';

interface Definition {
  readonly [column: string]: unknown;
  readonly project_id: string;
  readonly key: string;
  readonly schema: string;
}

interface Violations {
  readonly items: string[];
  /** The position after which the next page begins; undefined on the last page. */
  readonly next: Place | undefined;
}

const BATCH_SIZE = 500;
/** Limit on the values that are validated for one page. If few of them are invalid, the page ends before it is full. */
const MAX_VALIDATED = 100_000;

/** Lists values that violate a definition. Such a value is older than the definition or its last change. */
@Injectable()
export class ViolationsService {
  constructor(
    private readonly database: Database,
    private readonly schemas: JsonSchemas,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * A page of the values that violate a definition, where they are set.
   * @throws InventoryError 400, 404 if the caller cannot see the definition
   */
  async list(ctx: RequestContext, id: number, request: Request): Promise<Answer> {
    const address = listAddress(request, this.settings);
    const text = textsOf(request.query, ['limit', 'marker']);
    const limit = limitOf(text('limit'), LIMITS[address.body]);
    const marker = text('marker');
    const after = marker === undefined ? undefined : placeOf(marker);
    const [definition] = await this.database.reading(ctx).rows<Definition>(sql`
      SELECT t.project_id, t.key, t.schema::text AS schema ${from(variableDefinitionShape)}
      WHERE ${inScope(variableDefinitionShape, visibleProjects(ctx))}
        AND ${namesVisibleKeys(variableDefinitionShape, ctx)} AND t.id = ${id}`);
    if (!definition) throw InventoryError.notFound(variableDefinitionShape.kind, id);
    const { items, next } = await this.read(ctx, definition, after, limit);
    const neighbours = { next: next && markerOf(next), previous: undefined, last: undefined };
    return listAnswer(address, neighbours, items);
  }

  private async read(
    ctx: RequestContext,
    { project_id: projectId, key, schema }: Definition,
    after: Place | undefined,
    limit: number,
  ): Promise<Violations> {
    const items: string[] = [];
    let last = after;
    for (let validated = 0; validated < MAX_VALIDATED; validated += BATCH_SIZE) {
      const variables = await placesOf(ctx, this.database.reading(ctx), projectId, key, last, BATCH_SIZE);
      const { violations, endsPage } = this.validate(schema, variables);
      for (const [i, violation] of violations.entries()) {
        const variable = variables[i];
        // The page is full and there is another item: the next page begins with it.
        if (variable && violation && items.length === limit) return { items, next: last };
        if (variable && violation) items.push(itemText(variable, violation));
        last = variable ?? last;
      }
      if (endsPage) return { items, next: last };
      if (variables.length < BATCH_SIZE) return { items, next: undefined };
    }
    return { items, next: last };
  }

  /** A value that exceeds the timeout is reported as a violation and ends the page, because it has used its time. */
  private validate(
    schema: string,
    variables: readonly SetVariable[],
  ): { violations: readonly (Fault | undefined)[]; endsPage: boolean } {
    const checks = variables.map(({ value }) => ({ schema, value }));
    try {
      return { violations: this.schemas.faults(checks), endsPage: false };
    } catch (error) {
      if (!(error instanceof TooHard)) throw error;
      return { violations: [...error.faults, { path: '', message: error.message }], endsPage: true };
    }
  }
}

function itemText({ kind, id, name, key, value }: SetVariable, { path, message }: Fault): string {
  const head = JSON.stringify({ kind, id, name, key });
  return `${head.slice(0, -1)},"value":${value},${JSON.stringify({ path, message }).slice(1)}`;
}
