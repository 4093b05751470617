import { Controller, Get, Inject } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { Public } from '../auth/access';
import { APP_SETTINGS, type AppSettings } from '../core/context/request-context';
import { ApiErrors } from '../http/api-errors';
import { JsonResponse } from '../http/response';

class StartLinkView {
  @ApiProperty({ enum: ['documentation', 'openapi', 'readiness'] })
  rel!: string;

  @ApiProperty({ example: '/docs' })
  href!: string;
}

class StartView {
  @ApiProperty({ example: 'Muster' })
  name!: string;

  @ApiProperty({ type: [StartLinkView] })
  links!: StartLinkView[];
}

const LINKS = [
  { rel: 'documentation', href: '/docs' },
  { rel: 'openapi', href: '/openapi.json' },
  { rel: 'readiness', href: '/readyz' },
] as const satisfies readonly StartLinkView[];

/** The entry point, for people who open the URL of the service. */
@ApiTags('operations')
@ApiExtraModels(StartView)
@Controller()
export class StartController {
  private readonly response: JsonResponse;

  constructor(@Inject(APP_SETTINGS) { publicUrl }: AppSettings) {
    // A proxy may remove the path of PUBLIC_URL from requests.
    const path = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
    const links = LINKS.map(({ rel, href }) => ({ rel, href: path + href }));
    this.response = JsonResponse.ok(JSON.stringify({ name: 'Muster', links } satisfies StartView));
  }

  @Get()
  @Public()
  @ApiOperation({
    operationId: 'start',
    summary: 'Links to the documentation, the API description and the readiness',
    security: [],
  })
  @ApiResponse({
    status: 200,
    description:
      'The links. All other paths of the API begin with `/v1`. Clients that prefer HTML get the browser application.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(StartView) } },
      'text/html': { schema: { type: 'string' } },
    },
  })
  @ApiErrors()
  start(): JsonResponse {
    return this.response;
  }
}
