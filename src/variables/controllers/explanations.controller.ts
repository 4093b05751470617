import { Controller, Get, Param, Req, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ, Access, Ctx } from '../../auth/access';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { JsonResponse } from '../../http/response';
import { ApiErrors } from '../../http/api-errors';
import { TakesQuery } from '../../http/query.guard';
import { ResourceIdPipe } from '../../http/resource-id';
import type { QueryParameters } from '../../core/parameters';
import { Explainer } from '../explainer';
import { parseExplainedKeys, MAX_EXPLAINED_KEYS, ExplanationsView } from '../explanation';
import type { InheritingResource } from '../levels';
import { ApiAt } from '../../resources/api-parameters';
import { ApiId, named } from '../../resources/resource-routes';
import { parsePointInTime } from '../../resources/resource-reader';

/**
 * The route `{collection}/{id}/variables/explain` of a collection whose resources inherit variables. It must be
 * declared before the route for single keys, which would match it, too.
 */
export function explanationsController(definition: InheritingResource): Type {
  const { shape } = definition;

  @ApiTags('variables')
  @Controller(`v1/${shape.collection}/:id/variables/explain`)
  class ExplanationsController {
    constructor(private readonly explainer: Explainer) {}

    @Get()
    @TakesQuery()
    @Access(READ)
    @ApiOperation({ summary: `Explain which levels the variables of a ${shape.kind} come from` })
    @ApiId(shape)
    @ApiQuery({
      name: 'key',
      required: false,
      description: `Only this key. Can be repeated, for at most ${String(MAX_EXPLAINED_KEYS)} keys.`,
      schema: { type: 'array', items: { type: 'string', example: 'ntp_servers' } },
      style: 'form',
      explode: true,
    })
    @ApiAt()
    @ApiOkResponse({ type: ExplanationsView, description: 'The explained variables.' })
    @ApiErrors(400, 401, 404)
    async explain(
      @Ctx() ctx: RequestContext,
      @Param('id', new ResourceIdPipe(shape)) id: number,
      @Req() request: Request,
    ): Promise<JsonResponse> {
      const { query } = request;
      const [keys, at] = [parseKeys(query), parsePointInTime(query)];
      // No entity tag, because it would depend on the versions of all levels.
      return JsonResponse.ok(
        `{"variables":${await this.explainer.explainResource(ctx, definition, id, keys, at)}}`,
      );
    }
  }
  return named(ExplanationsController, `${shape.kind} explanations`);
}

/** The named keys; undefined: all keys. @throws InventoryError 400 */
function parseKeys(query: QueryParameters): readonly string[] | undefined {
  for (const name of Object.keys(query))
    if (name !== 'key' && name !== 'at') throw InventoryError.invalid(name, 'is not a parameter here');
  const { key } = query;
  return key === undefined ? undefined : parseExplainedKeys('key', [key].flat().map(String));
}
