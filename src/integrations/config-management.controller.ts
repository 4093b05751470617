import { Controller, Get, Req } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ, Access, Ctx } from '../auth/access';
import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { JsonResponse } from '../http/response';
import { ApiErrors } from '../http/api-errors';
import { TakesQuery } from '../http/query.guard';
import { parameterReader } from '../core/parameters';
import { parseStorableText, parseVariableKey } from '../list/list-filter';
import { HostQueryService } from './host-query.service';
import { documentOf, membersOf } from '../core/json/json-text';
import { isObject } from '../core/context/variable-keys';
import { quoteLongIntegers } from './long-integers';

/** The keys of the variables that are not passed as parameters. */
interface PuppetVariableKeys {
  readonly classes: string;
  readonly environment: string;
}

/** Reserved top-scope names. Puppet fails to compile a catalog with such a parameter. */
const RESERVED_PARAMETERS = ['trusted', 'facts', 'server_facts'];

const NO_CLASSES = '{}';

/**
 * Renders the response of an external node classifier (ENC), as JSON text. All variables become parameters, except
 * those for the classes and the environment, and reserved names.
 * @param variables resolved, as PostgreSQL prints them
 * @throws InventoryError 405 if the classes or the environment are invalid for Puppet. A failed run is safer than a
 *   node that is configured without its classes.
 */
function renderPuppetNode(variables: string, keys: PuppetVariableKeys): string {
  const parameters = new Map(membersOf(variables));
  const takeValue = (key: string): string | undefined => {
    const text = parameters.get(JSON.stringify(key));
    parameters.delete(JSON.stringify(key));
    return text === 'null' ? undefined : text;
  };
  const classes = takeValue(keys.classes);
  const environment = takeValue(keys.environment);
  for (const key of RESERVED_PARAMETERS) parameters.delete(JSON.stringify(key));
  if (classes !== undefined) assertClasses(keys.classes, JSON.parse(classes));
  if (environment !== undefined) assertEnvironment(keys.environment, JSON.parse(environment));
  const members = [
    ['"classes"', classes ?? NO_CLASSES],
    ['"parameters"', documentOf(parameters)],
    ...(environment === undefined ? [] : [['"environment"', environment]]),
  ] as [string, string][];
  return documentOf(members);
}

function assertClasses(key: string, value: unknown): void {
  const isValid = Array.isArray(value)
    ? value.every((name) => typeof name === 'string' && name !== '')
    : isObject(value) &&
      Object.values(value).every((parameters) => parameters === null || isObject(parameters));
  if (!isValid)
    throw InventoryError.validationException(
      key,
      'must be an array of class names, or an object that maps class names to parameters or null',
    );
}

function assertEnvironment(key: string, value: unknown): void {
  if (typeof value !== 'string' || value === '')
    throw InventoryError.validationException(key, 'must be the name of an environment');
}

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

/** Parses the required parameter `host`. @throws InventoryError 400 */
function parseHostName(text: string | undefined): string {
  if (text === undefined || text === '')
    throw InventoryError.invalid('host', 'must be given: the name of a host');
  return parseStorableText('host', text);
}

@ApiTags('integrations')
@Controller('v1/puppet-enc')
export class PuppetEncController {
  constructor(private readonly hosts: HostQueryService) {}

  @Get()
  @TakesQuery()
  @Access(READ)
  @ApiOperation({
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

@ApiTags('integrations')
@Controller('v1/salt-pillar')
export class SaltPillarController {
  constructor(private readonly hosts: HostQueryService) {}

  @Get()
  @TakesQuery()
  @Access(READ)
  @ApiOperation({ summary: 'The resolved variables of a host, as a Salt pillar' })
  @ApiQuery({
    name: 'host',
    required: true,
    description: 'The name of the host. It equals the id of the minion.',
    schema: { type: 'string', example: 'node1' },
  })
  @ApiResponse({
    status: 200,
    description:
      'The variables. The response for an unknown host is an empty object, because Salt treats an error in the same way.',
    content: {
      'application/json': {
        schema: { type: 'object', additionalProperties: true, example: { ntp: '10.0.0.1', row: 4 } },
      },
    },
  })
  @ApiErrors(400, 401, 403, 405)
  async pillar(@Ctx() ctx: RequestContext, @Req() request: Request): Promise<JsonResponse> {
    const name = parseHostName(parameterReader(request.query, ['host'])('host'));
    return JsonResponse.ok(quoteLongIntegers((await this.hosts.resolveVariables(ctx, name)) ?? '{}'));
  }
}
