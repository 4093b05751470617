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
  /** Behind which the next page begins; undefined if there is none. */
  readonly next: Place | undefined;
}

const BATCH = 500;
/** So many values are looked at for one page; where few of them are at fault, the page ends before it is full. */
const MOST_LOOKED_AT = 100_000;

/** Values that were there before what they have to keep was said. */
@Injectable()
export class ViolationsService {
  constructor(
    private readonly database: Database,
    private readonly schemas: JsonSchemas,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * A page of the own values that break a definition.
   * @throws InventoryError 400, 404 if the caller cannot see the definition
   */
  async list(ctx: RequestContext, id: number, request: Request): Promise<Answer> {
    const address = listAddress(request, this.settings);
    const text = textsOf(request.query, ['limit', 'marker']);
    const most = limitOf(text('limit'), LIMITS[address.body]);
    const marker = text('marker');
    const behind = marker === undefined ? undefined : placeOf(marker);
    const [definition] = await this.database.reading(ctx).rows<Definition>(sql`
      SELECT t.project_id, t.key, t.schema::text AS schema ${from(variableDefinitionShape)}
      WHERE ${inScope(variableDefinitionShape, visibleProjects(ctx))}
        AND ${namesVisibleKeys(variableDefinitionShape, ctx)} AND t.id = ${id}`);
    if (!definition) throw InventoryError.notFound(variableDefinitionShape.kind, id);
    const { items, next } = await this.read(ctx, definition, behind, most);
    const neighbours = { next: next && markerOf(next), previous: undefined, last: undefined };
    return listAnswer(address, neighbours, items);
  }

  private async read(
    ctx: RequestContext,
    { project_id: projectId, key, schema }: Definition,
    behind: Place | undefined,
    most: number,
  ): Promise<Violations> {
    const items: string[] = [];
    let last = behind;
    for (let looked = 0; looked < MOST_LOOKED_AT; looked += BATCH) {
      const places = await placesOf(ctx, this.database.reading(ctx), projectId, key, last, BATCH);
      const { faults, ends } = this.faults(schema, places);
      for (const [i, fault] of faults.entries()) {
        const place = places[i];
        // One more than the page has: there is a next one, which begins with it.
        if (place && fault && items.length === most) return { items, next: last };
        if (place && fault) items.push(itemText(place, fault));
        last = place ?? last;
      }
      if (ends) return { items, next: last };
      if (places.length < BATCH) return { items, next: undefined };
    }
    return { items, next: last };
  }

  /** @returns the faults of the values; the page ends with one that is too hard to be checked, which takes its time */
  private faults(
    schema: string,
    places: readonly SetVariable[],
  ): { faults: readonly (Fault | undefined)[]; ends: boolean } {
    try {
      return { faults: this.schemas.faults(places.map(({ value }) => ({ schema, value }))), ends: false };
    } catch (error) {
      if (!(error instanceof TooHard)) throw error;
      return { faults: [...error.faults, { path: '', message: error.message }], ends: true };
    }
  }
}

function itemText({ kind, id, name, key, value }: SetVariable, { path, message }: Fault): string {
  const head = JSON.stringify({ kind, id, name, key });
  return `${head.slice(0, -1)},"value":${value},${JSON.stringify({ path, message }).slice(1)}`;
}
