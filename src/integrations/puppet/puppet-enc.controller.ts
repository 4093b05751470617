import { Controller, Get, Req } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Access, Ctx, READ } from '../../auth/access';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { parameterReader } from '../../core/parameters';
import { ApiErrors } from '../../http/api-errors';
import { TakesQuery } from '../../http/query.guard';
import { JsonResponse } from '../../http/response';
import { parseVariableKey } from '../../lists/list-filter';
import { parseHostName } from '../host-name';
import { HostQueryService } from '../host-query.service';
import { renderPuppetNode } from './puppet-node';

const CLASSES = 'puppet_classes';
const ENVIRONMENT = 'puppet_environment';

class ClassifiedNodeView {
  @ApiProperty({
    oneOf: [
      { type: 'array', items: { type: 'string' } },
      { type: 'object', additionalProperties: { type: 'object', nullable: true } },
    ],
    example: ['ntp', 'profile::web'],
    description: `The value of the variable \`${CLASSES}\`: an array of class names, or an object that maps class names to parameters.`,
  })
  classes!: object;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { row: 4 },
    description: 'All other variables, except `trusted`, `facts` and `server_facts`, which Puppet reserves.',
  })
  parameters!: object;

  @ApiProperty({
    example: 'production',
    required: false,
    description: `The value of the variable \`${ENVIRONMENT}\`; absent if the variable is not set.`,
  })
  environment?: string;
}

@ApiTags('integrations')
@Controller('v1/puppet-enc')
export class PuppetEncController {
  constructor(private readonly hosts: HostQueryService) {}

  @Get()
  @TakesQuery()
  @Access(READ)
  @ApiOperation({
    operationId: 'puppetNode',
    summary: 'The resolved variables of a host, in the format of a Puppet external node classifier (ENC)',
  })
  @ApiQuery({
    name: 'host',
    required: true,
    description: 'The name of the host. It equals the name of the node.',
    schema: { type: 'string', example: 'node1' },
  })
  @ApiQuery({
    name: 'classes_variable',
    required: false,
    description: 'The key of the variable that contains the classes.',
    schema: { type: 'string', default: CLASSES, example: CLASSES },
  })
  @ApiQuery({
    name: 'environment_variable',
    required: false,
    description: 'The key of the variable that contains the environment.',
    schema: { type: 'string', default: ENVIRONMENT, example: ENVIRONMENT },
  })
  @ApiResponse({ status: 200, description: 'The node.', type: ClassifiedNodeView })
  @ApiErrors(400, 401, 403, 404, 405)
  async classify(@Ctx() ctx: RequestContext, @Req() request: Request): Promise<JsonResponse> {
    const parameter = parameterReader(request.query, ['host', 'classes_variable', 'environment_variable']);
    const name = parseHostName(parameter('host'));
    const keys = {
      classes: parseVariableKey('classes_variable', parameter('classes_variable') ?? CLASSES),
      environment: parseVariableKey('environment_variable', parameter('environment_variable') ?? ENVIRONMENT),
    };
    if (keys.classes === keys.environment)
      throw InventoryError.invalid('environment_variable', 'must differ from classes_variable');
    const variables = await this.hosts.resolveVariables(ctx, name);
    if (variables === undefined)
      throw new InventoryError('not_found', `There is no host ${name}.`, [
        { field: 'host', message: 'no host with this name' },
      ]);
    return JsonResponse.ok(renderPuppetNode(variables, keys));
  }
}
