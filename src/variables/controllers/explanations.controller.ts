import { Controller, Get, Param, Req, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ } from '../../auth/access';
import { Access, Ctx } from '../../auth/access.decorators';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import { Answer } from '../../http/response';
import { ApiErrors } from '../../http/api-errors';
import { TakesQuery } from '../../http/query.guard';
import { ResourceIdPipe } from '../../http/resource-id';
import type { QueryParameters } from '../../core/query-parameters';
import { Explainer } from '../explainer';
import { askedKeys, MOST_EXPLAINED_KEYS } from '../explanation';
import type { Inheriting } from '../inheritance';
import { ExplanationsView } from '../explanation.view';
import { ApiAt } from '../../resources/list-parameters';
import { ApiId, named } from '../../resources/resource-routes';
import { momentOf } from '../../resources/single-resource-query';

/**
 * The route `{collection}/{id}/variables/explain` of a collection whose resources inherit variables. It has to be
 * declared before a route for single keys, which it would be taken for.
 */
export function explanationsController(listing: Inheriting): Type {
  const { shape } = listing;

  @ApiTags('variables')
  @Controller(`v1/${shape.collection}/:id/variables/explain`)
  class ExplanationsController {
    constructor(private readonly explainer: Explainer) {}

    @Get()
    @TakesQuery()
    @Access(READ)
    @ApiOperation({ summary: `Where the variables of a ${shape.kind} come from, level by level` })
    @ApiId(shape)
    @ApiQuery({
      name: 'key',
      required: false,
      description: `Only this key. May be given several times, for at most ${String(MOST_EXPLAINED_KEYS)} keys.`,
      schema: { type: 'array', items: { type: 'string', example: 'ntp_servers' } },
      style: 'form',
      explode: true,
    })
    @ApiAt()
    @ApiOkResponse({ type: ExplanationsView, description: 'The variables, explained.' })
    @ApiErrors(400, 401, 404)
    async explain(
      @Ctx() ctx: RequestContext,
      @Param('id', new ResourceIdPipe(shape)) id: number,
      @Req() request: Request,
    ): Promise<Answer> {
      const { query } = request;
      const [keys, at] = [keysOf(query), momentOf(query)];
      // Without an entity tag: it would have to be one of every level.
      return Answer.ok(`{"variables":${await this.explainer.one(ctx, listing, id, keys, at)}}`);
    }
  }
  return named(ExplanationsController, `${shape.kind} explanations`);
}

/** The keys that are asked for; undefined: all. @throws InventoryError 400 */
function keysOf(query: QueryParameters): readonly string[] | undefined {
  for (const name of Object.keys(query))
    if (name !== 'key' && name !== 'at') throw InventoryError.invalid(name, 'is not a parameter here');
  const { key } = query;
  return key === undefined ? undefined : askedKeys('key', [key].flat().map(String));
}
