import { applyDecorators, Delete, Get, HttpCode, Inject, Param, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  ApiBody,
  ApiExtraModels,
  ApiOperation,
  ApiParam,
  ApiProperty,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { READ, writeVariables, Access, Ctx } from '../../auth/access';
import { PreparedWrite } from '../../writes/prepared-write';
import { MAX_KEY_LENGTH } from '../../core/context/variable-keys';
import type { RequestContext } from '../../core/context/request-context';
import { JsonResponse } from '../../http/response';
import { noContentResponse } from '../resource.controller';
import { ApiErrors } from '../../http/api-errors';
import { IfMatch, IfNoneMatch, TakesPrecondition, type Precondition } from '../../http/preconditions';
import { TakesQuery } from '../../http/query.guard';
import { LargeBody } from '../../http/request-body';
import { ResourceIdPipe } from '../../http/resource-id';
import { ValidBody, JsonCheck, JsonMember } from '../../http/body-validation';
import type { JsonInput } from '../../database/json-input';
import {
  SingleVariableService,
  type PastVariable,
  type Variable,
} from '../../variables/single-variable.service';
import type { VariableOwner } from '../../variables/variables.service';
import { anyValueSchema } from '../../http/api-schemas';
import { ApiAt } from '../api-parameters';
import { ApiId, Writes } from '../resource-routes';
import { parseSingleQuery } from '../single-query';
import { fault } from '../../core/error-details';

const VALUE_SCHEMA = { ...anyValueSchema, example: ['10.0.0.1'] };

class VariableValue {
  @ApiProperty(VALUE_SCHEMA)
  @JsonMember()
  @JsonCheck('value', (value) => (value === undefined ? fault('required', 'is required') : undefined))
  value!: JsonInput;
}

class VariableView {
  @ApiProperty({ example: 'ntp_servers' })
  key!: string;

  @ApiProperty(VALUE_SCHEMA)
  value!: unknown;
}

const ApiKey = () =>
  ApiParam({
    name: 'key',
    description: 'The key of the variable.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH, example: 'ntp_servers' },
  });

const ApiVariable = (description: string) =>
  applyDecorators(
    ApiExtraModels(VariableView),
    ApiResponse({
      status: 200,
      description,
      headers: {
        ETag: {
          description: 'The entity tag of this variable, for `If-Match`.',
          schema: { type: 'string', example: '"c17"' },
        },
      },
      content: { 'application/json': { schema: { $ref: getSchemaPath(VariableView) } } },
    }),
  );

const ApiVariableIfMatch = () =>
  TakesPrecondition('If-Match', 'Only if the variable has one of these tags; `*`: only if it is set.', {
    example: '"c17"',
  });

const toResponse = (variable: Variable | PastVariable): JsonResponse =>
  JsonResponse.ok(
    `{"key":${JSON.stringify(variable.key)},"value":${variable.value}}`,
    'tag' in variable ? { etag: variable.tag } : {},
  );

/** The base class of the controllers for `{collection}/{id}/variables/{key}`. */
export function VariableController(owner: VariableOwner) {
  const { mapping } = owner.definition;

  @ApiTags('variables')
  abstract class VariableRoutes {
    @Inject() private readonly variables!: SingleVariableService;

    @Get()
    @TakesQuery()
    @Access(owner.reads ?? READ)
    @ApiOperation({ summary: `Get one own variable of a ${mapping.kind}` })
    @ApiId(mapping)
    @ApiKey()
    @ApiAt()
    @ApiVariable('The variable.')
    @ApiErrors(400, 401, 404)
    async get(
      @Ctx() ctx: RequestContext,
      @Param('id', new ResourceIdPipe(mapping)) id: number,
      @Param('key') key: string,
      @Req() request: Request,
    ): Promise<JsonResponse> {
      const { at } = parseSingleQuery(request.query, { 'resolved-values': false, at: true });
      return toResponse(await this.variables.get(ctx, owner, id, key, at));
    }

    @Put()
    @Access(writeVariables(mapping.collection))
    @ApiOperation({ summary: `Set one variable of a ${mapping.kind}` })
    @ApiId(mapping)
    @ApiKey()
    @Writes()
    @ApiVariableIfMatch()
    @TakesPrecondition('If-None-Match', '`*`: only if the variable is not set.', {
      enum: ['*'],
      example: '*',
    })
    @LargeBody()
    @ApiBody({ type: VariableValue })
    @ApiVariable('The variable as it was set.')
    @ApiErrors(400, 401, 403, 404, 405, 412, 415)
    put(
      @Ctx() ctx: RequestContext,
      @Param('id', new ResourceIdPipe(mapping)) id: number,
      @Param('key') key: string,
      @ValidBody(VariableValue) { value }: VariableValue,
      @IfMatch() ifMatch: Precondition,
      @IfNoneMatch() onlyIfUnset: boolean,
    ): PreparedWrite {
      const conditions = { ifMatch, onlyIfUnset };
      const operation = this.variables.preparePut(ctx, owner, id, key, value, conditions);
      return PreparedWrite.update(operation, toResponse);
    }

    @Delete()
    @HttpCode(204)
    @Access(writeVariables(mapping.collection))
    @ApiOperation({ summary: `Delete one variable of a ${mapping.kind}` })
    @ApiId(mapping)
    @ApiKey()
    @Writes()
    @ApiVariableIfMatch()
    @ApiResponse({ status: 204, description: 'The variable was deleted, or was not set.' })
    @ApiErrors(400, 401, 403, 404, 405, 412)
    delete(
      @Ctx() ctx: RequestContext,
      @Param('id', new ResourceIdPipe(mapping)) id: number,
      @Param('key') key: string,
      @IfMatch() ifMatch: Precondition,
    ): PreparedWrite {
      const operation = this.variables.prepareDelete(ctx, owner, id, key, ifMatch);
      return PreparedWrite.update(operation, noContentResponse);
    }
  }
  return VariableRoutes;
}
