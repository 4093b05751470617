import { applyDecorators, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiProperty, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Access, ADMIN, Ctx, READ } from '../../auth/access';
import type { RequestContext } from '../../core/context/request-context';
import { ApiErrors } from '../../http/api-errors';
import { ValidBody } from '../../http/body-validation';
import { WithoutDryRun } from '../../http/dry-run';
import { listResponse, ListUrlParam } from '../../http/list-response';
import { AcceptsQuery, TakesQuery } from '../../http/query.guard';
import { ResourceIdPipe } from '../../http/resource-id';
import type { ListUrl } from '../../lists/list-page';
import { LIMITS } from '../../lists/list-query';
import { ApiId, ApiListResponse } from '../../resources/resource-routes';
import { anyValueSchema } from '../../http/api-schemas';
import { CreateVariableDefinition } from './variable-definition.dto';
import { variableDefinitionMapping } from './variable-definition.entity';
import { ViolationsService } from './violations.service';

class ViolationView {
  @ApiProperty({ example: 'host', description: 'The kind of the resource that sets the variable.' })
  kind!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'node1' })
  name!: string;

  @ApiProperty({ example: 'ntp_servers' })
  key!: string;

  @ApiProperty({
    ...anyValueSchema,
    example: ['ntp.example.com'],
    description: 'The value that the resource sets.',
  })
  value!: unknown;

  @ApiProperty({
    example: '/0',
    description: 'The location of the violation in the value, as a JSON pointer.',
  })
  path!: string;

  @ApiProperty({ example: 'must match format "ipv4"' })
  message!: string;
}

/** Documents a page of violations. */
const ApiViolations = () =>
  applyDecorators(
    ApiQuery({
      name: 'limit',
      required: false,
      description:
        'The maximum number of items. 1–10000 for an array (default 1000), 10–100 for a page object (default 30).',
      schema: { type: 'integer', minimum: LIMITS.array.min, maximum: LIMITS.array.max, example: 100 },
    }),
    ApiQuery({
      name: 'marker',
      required: false,
      description: 'The start of the page, from the `next` link of the previous page.',
      schema: { type: 'string', example: 'WyJudHBfc2VydmVycyIsImhvc3QiLDFd' },
    }),
    ApiListResponse(
      ViolationView,
      ' Ordered by key, kind and id. A page can have fewer items than its limit, or none, and still have a `next` link.',
    ),
  );

/** Lists values that violate a definition, or would violate one that is not stored yet. */
@ApiTags('variable-definitions')
@Controller('v1/variable-definitions')
export class ViolationsController {
  constructor(private readonly violations: ViolationsService) {}

  @Get(':id/violations')
  @TakesQuery()
  @Access(READ)
  @ApiOperation({
    operationId: 'variableDefinitionsListViolations',
    summary: 'List values that violate a variable definition because they are older than it',
  })
  @ApiId(variableDefinitionMapping)
  @ApiViolations()
  @ApiErrors(400, 401, 404)
  async list(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(variableDefinitionMapping)) id: number,
    @ListUrlParam() url: ListUrl,
  ) {
    return listResponse(await this.violations.list(ctx, id, url));
  }

  @Post('violations')
  @HttpCode(200)
  @AcceptsQuery('limit', 'marker')
  @WithoutDryRun()
  // Only users that can write definitions: a schema takes time to check.
  @Access(ADMIN)
  @ApiOperation({
    operationId: 'variableDefinitionsPreviewViolations',
    summary: 'List values that would violate a variable definition. Nothing is written',
  })
  @ApiBody({ type: CreateVariableDefinition })
  @ApiViolations()
  @ApiErrors(400, 401, 403, 415)
  async preview(
    @Ctx() ctx: RequestContext,
    @ValidBody(CreateVariableDefinition) body: CreateVariableDefinition,
    @ListUrlParam() url: ListUrl,
  ) {
    return listResponse(await this.violations.preview(ctx, body, url));
  }
}
