import { applyDecorators, Delete, Get, HttpCode, Inject, Param, Put, Req } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { READ, writeVariables, Access, Ctx } from '../../auth/access';
import { PreparedWrite } from '../../writes/prepared-write';
import { MAX_KEY_LENGTH } from '../../core/context/variable-keys';
import type { RequestContext } from '../../core/context/request-context';
import { JsonResponse } from '../../http/response';
import { noContentResponse } from '../resource.controller';
import { jsonContent, namedSchema, variableMap } from '../../http/api-schemas';
import { ApiErrors } from '../../http/api-errors';
import { entityTag, representationTag } from '../../http/entity-tag';
import { IfMatch, type Precondition } from '../../http/preconditions';
import { TakesQuery } from '../../http/query.guard';
import { LargeBody, TakesDeleteBody } from '../../http/request-body';
import { ResourceIdPipe } from '../../http/resource-id';
import { JsonBody } from '../../http/body-validation';
import type { JsonInput } from '../../database/json-input';
import { ApiAt, ApiResolvedValues } from '../api-parameters';
import { ApiId, ApiIfMatch, Writes } from '../resource-routes';
import { parseSingleQuery } from '../single-query';
import {
  VariablesService,
  type VariableOwner,
  type VariablesDocument,
} from '../../variables/variables.service';

export class VariablesView {
  @ApiProperty({ ...variableMap, example: { ntp_servers: ['10.0.0.1'] } })
  variables!: object;
}

const variablesBody = { $ref: getSchemaPath('VariableMap') };

const variablesToDelete = namedSchema('VariablesToDelete', {
  oneOf: [
    variablesBody,
    { type: 'array', items: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH } },
  ],
});

const ApiVariables = () =>
  applyDecorators(
    ApiExtraModels(VariablesView),
    ApiResponse({
      status: 200,
      description: 'The variables.',
      headers: {
        ETag: { description: "The resource's version, for `If-Match`.", schema: { type: 'string' } },
      },
      content: jsonContent({ $ref: getSchemaPath(VariablesView) }),
    }),
  );

function shownResponse({ document, version, past }: VariablesDocument): JsonResponse {
  const body = `{"variables":${document}}`;
  return JsonResponse.ok(body, past ? {} : { etag: representationTag(version, body) });
}

const writtenResponse = ({ document, version }: VariablesDocument): JsonResponse =>
  JsonResponse.ok(`{"variables":${document}}`, { etag: entityTag(version) });

/** The base class of the controllers for `{collection}/{id}/variables`. */
export function VariablesController(owner: VariableOwner) {
  const { mapping } = owner.definition;

  @ApiTags('variables')
  abstract class VariablesRoutes {
    @Inject() private readonly variables!: VariablesService;

    @Get()
    @TakesQuery()
    @Access(owner.reads ?? READ)
    @ApiOperation({ summary: `Get the own or resolved variables of a ${mapping.kind}` })
    @ApiId(mapping)
    @ApiResolvedValues('false')
    @ApiAt()
    @ApiVariables()
    @ApiErrors(400, 401, 404)
    async get(
      @Ctx() ctx: RequestContext,
      @Param('id', new ResourceIdPipe(mapping)) id: number,
      @Req() request: Request,
    ): Promise<JsonResponse> {
      const accepted = { 'resolved-values': true, at: true, resolvedByDefault: false };
      const { resolved, at } = parseSingleQuery(request.query, accepted);
      return shownResponse(await this.variables.get(ctx, owner, id, resolved, at));
    }

    @Put()
    @Access(writeVariables(mapping.collection))
    @ApiOperation({ summary: `Set variables of a ${mapping.kind}; other variables do not change` })
    @ApiId(mapping)
    @Writes()
    @ApiIfMatch()
    @LargeBody()
    @ApiBody({
      description: 'Keys and values, or one pair as `{"key": …, "value": …}`.',
      schema: variablesBody,
      examples: {
        several: { value: { ntp_servers: ['10.0.0.1'], rack: { row: 4 } } },
        pair: { value: { key: 'ntp_servers', value: ['10.0.0.1'] } },
      },
    })
    @ApiVariables()
    @ApiErrors(400, 401, 403, 404, 405, 412, 415)
    put(
      @Ctx() ctx: RequestContext,
      @Param('id', new ResourceIdPipe(mapping)) id: number,
      @JsonBody() body: JsonInput | undefined,
      @IfMatch() ifMatch: Precondition,
    ): PreparedWrite {
      return PreparedWrite.update(this.variables.preparePut(ctx, owner, id, body, ifMatch), writtenResponse);
    }

    @Delete()
    @HttpCode(204)
    @Access(writeVariables(mapping.collection))
    @ApiOperation({ summary: `Delete variables of a ${mapping.kind}` })
    @ApiId(mapping)
    @Writes()
    @ApiIfMatch()
    @TakesDeleteBody()
    @LargeBody()
    @ApiBody({
      description: '`{"key": …}`, or an object or an array of keys. Keys that are not set are ignored.',
      schema: variablesToDelete,
      examples: { one: { value: { key: 'ntp_servers' } }, several: { value: ['ntp_servers', 'rack'] } },
    })
    @ApiResponse({ status: 204, description: 'The variables were deleted, or were not set.' })
    @ApiErrors(400, 401, 403, 404, 405, 412, 415)
    delete(
      @Ctx() ctx: RequestContext,
      @Param('id', new ResourceIdPipe(mapping)) id: number,
      @JsonBody() body: JsonInput | undefined,
      @IfMatch() ifMatch: Precondition,
    ): PreparedWrite {
      return PreparedWrite.update(
        this.variables.prepareDelete(ctx, owner, id, body, ifMatch),
        noContentResponse,
      );
    }
  }
  return VariablesRoutes;
}
