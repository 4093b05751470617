import { Controller, Get, Req } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ } from '../../auth/access';
import { Access, Ctx } from '../../auth/access.decorators';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import { Answer } from '../../http/response';
import { ApiErrors } from '../../http/api-errors';
import { TakesQuery } from '../../http/query.guard';
import { textsOf } from '../../core/query-parameters';
import { variableName } from '../variable-key-parameter';
import { classifiedNode } from './classified-node';
import { hostName } from './host-name-parameter';
import { NamedHosts } from './hosts-by-name.service';

const CLASSES = 'puppet_classes';
const ENVIRONMENT = 'puppet_environment';

class ClassifiedNodeView {
  @ApiProperty({
    oneOf: [
      { type: 'array', items: { type: 'string' } },
      { type: 'object', additionalProperties: { type: 'object', nullable: true } },
    ],
    example: ['ntp', 'profile::web'],
    description: `The variable \`${CLASSES}\`: an array of names, or an object of names with parameters.`,
  })
  classes!: object;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { row: 4 },
    description:
      'All other variables, but for `trusted`, `facts` and `server_facts`: these are Puppet’s own.',
  })
  parameters!: object;

  @ApiProperty({
    example: 'production',
    required: false,
    description: `The variable \`${ENVIRONMENT}\`; left out where it is not set.`,
  })
  environment?: string;
}

@ApiTags('integrations')
@Controller('v1/puppet-enc')
export class PuppetEncController {
  constructor(private readonly hosts: NamedHosts) {}

  @Get()
  @TakesQuery()
  @Access(READ)
  @ApiOperation({ summary: 'The resolved variables of a host, as Puppet reads them from a node classifier' })
  @ApiQuery({
    name: 'host',
    required: true,
    description: 'The name of the host: that of the node.',
    schema: { type: 'string', example: 'node1' },
  })
  @ApiQuery({
    name: 'classes_variable',
    required: false,
    description: 'The key of the variable with the classes.',
    schema: { type: 'string', default: CLASSES, example: CLASSES },
  })
  @ApiQuery({
    name: 'environment_variable',
    required: false,
    description: 'The key of the variable with the environment.',
    schema: { type: 'string', default: ENVIRONMENT, example: ENVIRONMENT },
  })
  @ApiResponse({ status: 200, description: 'The node.', type: ClassifiedNodeView })
  @ApiErrors(400, 401, 403, 404, 405)
  async classify(@Ctx() ctx: RequestContext, @Req() request: Request): Promise<Answer> {
    const one = textsOf(request.query, ['host', 'classes_variable', 'environment_variable']);
    const name = hostName(one('host'));
    const keys = {
      classes: variableName('classes_variable', one('classes_variable') ?? CLASSES),
      environment: variableName('environment_variable', one('environment_variable') ?? ENVIRONMENT),
    };
    if (keys.classes === keys.environment)
      throw InventoryError.invalid('environment_variable', 'must be another than that of the classes');
    const variables = await this.hosts.variables(ctx, name);
    if (variables === undefined)
      throw new InventoryError('not_found', `There is no host ${name}.`, [
        { field: 'host', message: 'no host with this name' },
      ]);
    return Answer.ok(classifiedNode(variables, keys));
  }
}
