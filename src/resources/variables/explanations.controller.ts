import { Get, Inject, Param, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ, Access, Ctx } from '../../auth/access';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { JsonResponse } from '../../http/response';
import { camelCase } from '../../http/api-schemas';
import { ApiErrors } from '../../http/api-errors';
import { TakesQuery } from '../../http/query.guard';
import { ResourceIdPipe } from '../../http/resource-id';
import type { QueryParameters } from '../../core/parameters';
import { Explainer } from '../../variables/explainer';
import { parseExplainedKeys, MAX_EXPLAINED_KEYS, ExplanationsView } from '../../variables/explanation';
import type { InheritingResource } from '../../variables/levels';
import { ApiAt } from '../api-parameters';
import { ApiId } from '../resource-routes';
import { parsePointInTime } from '../single-query';

/** The base class of the controllers for `{collection}/{id}/variables/explain`. */
export function ExplanationsController(definition: InheritingResource) {
  const { mapping } = definition;

  @ApiTags('variables')
  abstract class ExplanationRoutes {
    @Inject() private readonly explainer!: Explainer;

    @Get()
    @TakesQuery()
    @Access(READ)
    @ApiOperation({
      operationId: `${camelCase(mapping.kind)}VariablesExplain`,
      summary: `Explain which levels the variables of a ${mapping.kind} come from`,
    })
    @ApiId(mapping)
    @ApiQuery({
      name: 'key',
      required: false,
      description: `Only these keys: repeated, or joined by \`,\`.`,
      schema: {
        type: 'array',
        items: { type: 'string', example: 'ntp_servers' },
        maxItems: MAX_EXPLAINED_KEYS,
      },
      style: 'form',
      explode: true,
    })
    @ApiAt()
    @ApiOkResponse({ type: ExplanationsView, description: 'The explained variables.' })
    @ApiErrors(400, 401, 404)
    async explain(
      @Ctx() ctx: RequestContext,
      @Param('id', new ResourceIdPipe(mapping)) id: number,
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
  return ExplanationRoutes;
}

/** The named keys; undefined: all keys. @throws InventoryError 400 */
function parseKeys(query: QueryParameters): readonly string[] | undefined {
  for (const name of Object.keys(query))
    if (name !== 'key' && name !== 'at')
      throw InventoryError.invalid(name, 'unknown_parameter', 'is not a parameter here');
  const { key } = query;
  if (key === undefined) return undefined;
  const keys = [key]
    .flat()
    .map(String)
    .flatMap((text) => text.split(','));
  return parseExplainedKeys('key', keys);
}
