import { applyDecorators, Controller, Get } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiQuery, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { READ, Access, Ctx } from '../auth/access';
import type { RequestContext } from '../core/context/request-context';
import { jsonContent, namedSchema } from '../http/api-schemas';
import { ApiErrors } from '../http/api-errors';
import { joinItems, ListUrlParam, pageLinks } from '../http/list-response';
import { JsonResponse } from '../http/response';
import { TakesQuery } from '../http/query.guard';
import type { ListUrl } from '../lists/list-page';
import { LIMITS } from '../lists/list-query';
import { LAST_PAGE } from '../lists/marker';
import { LinkView } from '../resources/resource.view';
import { AllDevicesService, deviceListParameters } from './all-devices.service';
import { deviceKinds } from './device-kinds';

const devicePage = namedSchema('DevicePage', {
  type: 'object',
  required: ['devices', 'links'],
  properties: {
    devices: namedSchema('DevicesByKind', {
      type: 'object',
      required: deviceKinds.map((kind) => kind.mapping.collection),
      properties: Object.fromEntries(
        deviceKinds.map((kind) => [
          kind.mapping.collection,
          { type: 'array', items: { $ref: getSchemaPath(kind.view) } },
        ]),
      ),
    }),
    links: { type: 'array', items: { $ref: getSchemaPath(LinkView) } },
  },
});

const ApiDeviceList = () =>
  applyDecorators(
    ApiOperation({ operationId: 'devicesList', summary: 'List devices of all kinds' }),
    ...deviceListParameters.filters.map(({ name, description, type, example }) =>
      ApiQuery({ name, required: false, description, schema: { type, example } }),
    ),
    ApiQuery({
      name: 'descendants',
      required: false,
      description: 'Whether to include the descendants of the matching devices.',
      schema: { type: 'boolean', default: false, example: true },
    }),
    ApiQuery({
      name: 'limit',
      required: false,
      description: 'The maximum number of devices.',
      schema: {
        type: 'integer',
        minimum: LIMITS.page.min,
        maximum: LIMITS.page.max,
        default: LIMITS.page.default,
        example: 100,
      },
    }),
    ApiQuery({
      name: 'marker',
      required: false,
      description: 'Where the page begins: after the device with this id; `last` for the last page.',
      schema: { type: 'string', example: LAST_PAGE },
    }),
    ApiExtraModels(LinkView, ...deviceKinds.map((kind) => kind.view)),
    ApiResponse({
      status: 200,
      description: 'A page of devices, grouped by kind and ordered by id.',
      content: jsonContent(devicePage),
    }),
    ApiErrors(400, 401),
  );

@ApiTags('devices')
@Controller('v1/devices')
export class AllDevicesController {
  constructor(private readonly devices: AllDevicesService) {}

  @Get()
  @TakesQuery()
  @Access(READ)
  @ApiDeviceList()
  async list(@Ctx() ctx: RequestContext, @ListUrlParam() url: ListUrl) {
    const { markers, members } = await this.devices.list(ctx, url);
    const links = JSON.stringify(pageLinks(url, markers));
    return JsonResponse.ok([...joinItems('{"devices":{', members, '}'), `,"links":${links}}`]);
  }
}
