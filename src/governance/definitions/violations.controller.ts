import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ } from '../../auth/access';
import { Access, Ctx } from '../../auth/access.decorators';
import type { RequestContext } from '../../core/context/request-context';
import { ApiErrors } from '../../http/api-errors';
import { TakesQuery } from '../../http/query.guard';
import { ResourceIdPipe } from '../../http/resource-id';
import { LIMITS } from '../../list/list-query';
import { anyValue } from '../../variables/explanation.view';
import { ApiId, ApiListAnswer } from '../../resources/resource-routes';
import { variableDefinitionShape } from './variable-definition';
import { ViolationsService } from './violations.service';

class ViolationView {
  @ApiProperty({ example: 'host', description: 'What sets the variable.' })
  kind!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'node1' })
  name!: string;

  @ApiProperty({ example: 'ntp_servers' })
  key!: string;

  @ApiProperty({ ...anyValue, example: ['ntp.example.com'], description: 'The value as it is set there.' })
  value!: unknown;

  @ApiProperty({ example: '/0', description: 'Where in the value the fault is: a JSON pointer.' })
  path!: string;

  @ApiProperty({ example: 'must match format "ipv4"' })
  message!: string;
}

@ApiTags('variable-definitions')
@Controller('v1/variable-definitions/:id/violations')
export class ViolationsController {
  constructor(private readonly violations: ViolationsService) {}

  @Get()
  @TakesQuery()
  @Access(READ)
  @ApiOperation({ summary: 'List values that break a variable definition: they were there before it' })
  @ApiId(variableDefinitionShape)
  @ApiQuery({
    name: 'limit',
    required: false,
    description: 'How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30.',
    schema: { type: 'integer', minimum: LIMITS.array.least, maximum: LIMITS.array.most, example: 100 },
  })
  @ApiQuery({
    name: 'marker',
    required: false,
    description: 'Where the page begins, as the link `next` of the page before it has it.',
    schema: { type: 'string', example: 'WyJudHBfc2VydmVycyIsImhvc3QiLDFd' },
  })
  @ApiListAnswer(
    ViolationView,
    ' In the order of keys, kinds and ids. It may have fewer items than its limit, or none, and yet a `next`.',
  )
  @ApiErrors(400, 401, 404)
  async list(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(variableDefinitionShape)) id: number,
    @Req() request: Request,
  ) {
    return this.violations.list(ctx, id, request);
  }
}
