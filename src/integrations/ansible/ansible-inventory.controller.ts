import { applyDecorators, Controller, Get, Req } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ, Access, Ctx, Renewal } from '../../auth/access';
import type { RenewContext } from '../../http/request-state';
import { host } from '../../devices/kinds/host/host.entity';
import { ApiSelection } from '../../resources/api-parameters';
import type { RequestContext } from '../../core/context/request-context';
import { jsonContent, namedSchema } from '../../http/api-schemas';
import { ApiErrors } from '../../http/api-errors';
import { slotReleaseOf } from '../../http/active-requests';
import { TakesQuery } from '../../http/query.guard';
import type { StreamedResponse } from '../../http/streamed-response';
import { InventoryError } from '../../core/errors';
import { timeValue } from '../../core/parameters';
import { deviceKindNames } from '../../devices/device-kinds';
import { parseBooleanValue, parseStorableText } from '../../lists/list-filter';
import { parseHostSelection } from '../host-query.service';
import { JsonStreamResponder } from '../streamed-json-response';
import { AnsibleInventoryService, type InventoryQuery } from './ansible-inventory.service';
import { PAST_FILTERS, parsePastFilters } from './past-filters';
import { MAX_PAST_DEVICES } from './past-source';

const INVENTORY_EXAMPLE = {
  _meta: { hostvars: { node1: { ntp: '10.0.0.1', row: 4, ansible_host: '10.0.0.7' } } },
  eqiad_row_4: { hosts: ['node1'] },
  eqiad: { children: ['eqiad_row_4'] },
  web: { hosts: ['node1'] },
  all: { children: ['eqiad', 'web'] },
};

const ansibleInventory = namedSchema('AnsibleInventory', {
  type: 'object',
  additionalProperties: true,
  example: INVENTORY_EXAMPLE,
});

type InventoryContent = InventoryQuery['content'];

/** @throws InventoryError 400 */
function parseKinds(kinds: readonly string[] | undefined): readonly string[] | undefined {
  if (kinds?.some((kind) => !deviceKindNames.includes(kind)))
    throw InventoryError.invalid('kind', 'invalid_value', `must be one of ${deviceKindNames.join(', ')}`);
  return kinds;
}

/** @throws InventoryError 400 */
function parseContent(others: ReadonlyMap<string, readonly string[]>): InventoryContent {
  const [host] = others.get('host') ?? [];
  const resolved = parseBooleanValue('resolved-values', others.get('resolved-values')?.[0] ?? 'true');
  if (host === undefined) return resolved ? 'resolved' : 'levels';
  if (!resolved)
    throw InventoryError.invalid('resolved-values', 'inconsistent', 'must not be false together with host');
  return { host: parseStorableText('host', host) };
}

/** The devices at a point in time; undefined: now. @throws InventoryError 400 */
function parsePast(values: ReadonlyMap<string, readonly string[]>): InventoryQuery['past'] {
  const [at] = values.get('at') ?? [];
  if (at === undefined) return undefined;
  const filters = parsePastFilters(values, ['at', 'host', 'inactive', 'kind', 'resolved-values']);
  return { time: timeValue('at', at), filters };
}

const ApiAnsibleInventory = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'ansibleInventory',
      summary:
        'The devices of the project, by default its hosts, as an Ansible inventory, streamed from one consistent snapshot',
    }),
    ApiQuery({
      name: 'host',
      required: false,
      description:
        'Returns only the variables of the host with this name, as `--host` prints them; an empty object if the host is not in the inventory.',
      schema: { type: 'string', example: 'node1' },
    }),
    ApiQuery({
      name: 'inactive',
      required: false,
      description: 'Whether the inventory includes inactive hosts.',
      schema: { type: 'boolean', default: false, example: true },
    }),
    ApiQuery({
      name: 'kind',
      required: false,
      description:
        'The kinds of devices in the inventory. Repeat the parameter for several kinds. Without it, the inventory has hosts.',
      schema: {
        type: 'array',
        items: { type: 'string', enum: [...deviceKindNames], example: 'host' },
      },
      style: 'form',
      explode: true,
    }),
    ApiQuery({
      name: 'resolved-values',
      required: false,
      description:
        'With `false`, variables are not resolved: `_meta` contains `hosts`, each with its members, own variables and the keys of its levels, broadest first, and `levels` with the variables of each, instead of `hostvars`.',
      schema: { type: 'boolean', default: true, example: false },
    }),
    ApiQuery({
      name: 'at',
      required: false,
      description: `The inventory as it was at this time. The only filters are then ${PAST_FILTERS.map((name) => `\`${name}\``).join(', ')}, and the project may have at most ${MAX_PAST_DEVICES.toLocaleString('en')} devices.`,
      schema: { type: 'string', example: '2017-02-16T14:28:55.000000' },
    }),
    ApiSelection(host.definition),
    ApiResponse({
      status: 200,
      description:
        'The output of an inventory script for `--list`: each device with its resolved variables and `ansible_host`, and a group for each region, cell and label.',
      content: jsonContent(ansibleInventory),
    }),
    ApiErrors(400, 401, 403, 404, 405),
  );

@ApiTags('integrations')
@Controller('v1/ansible-inventory')
export class AnsibleInventoryController {
  constructor(
    private readonly inventories: AnsibleInventoryService,
    private readonly streams: JsonStreamResponder,
  ) {}

  @Get()
  @TakesQuery()
  @Access(READ)
  @ApiAnsibleInventory()
  inventory(
    @Ctx() ctx: RequestContext,
    @Renewal() renew: RenewContext,
    @Req() request: Request,
  ): StreamedResponse {
    const { selection, others } = parseHostSelection(request.query, [
      { name: 'host' },
      { name: 'inactive' },
      { name: 'kind', repeatable: true, joinable: true },
      { name: 'resolved-values' },
      { name: 'at' },
    ]);
    const inventory = {
      selection,
      past: parsePast(others),
      kinds: parseKinds(others.get('kind')),
      content: parseContent(others),
    };
    return this.streams.respond(request, (sink, signal) =>
      this.inventories.write({ ctx, renew, releaseSlot: slotReleaseOf(request) }, inventory, sink, signal),
    );
  }
}
