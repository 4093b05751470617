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
import { parseStorableText } from '../../lists/list-filter';
import { parseHostSelection } from '../host-query.service';
import { JsonStreamResponder } from '../streamed-json-response';
import { AnsibleInventoryService, type InventoryQuery } from './ansible-inventory.service';

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

const ApiAnsibleInventory = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'ansibleInventory',
      summary: 'The hosts of the project as an Ansible inventory, streamed from one consistent snapshot',
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
    ApiSelection(host.definition),
    ApiResponse({
      status: 200,
      description:
        'The output of an inventory script for `--list`: each host with its resolved variables and `ansible_host`, and a group for each region, cell and label.',
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
    const { selection, others } = parseHostSelection(request.query, [{ name: 'host' }, { name: 'inactive' }]);
    const [name] = others.get('host') ?? [];
    const inventory: InventoryQuery = {
      selection,
      host: name === undefined ? undefined : parseStorableText('host', name),
    };
    return this.streams.respond(request, (sink, signal) =>
      this.inventories.write({ ctx, renew, releaseSlot: slotReleaseOf(request) }, inventory, sink, signal),
    );
  }
}
