import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

const DESCRIPTION = `Muster holds a fleet of physical devices: projects contain regions, regions contain cells, devices
stand in a region and perhaps a cell, carry labels and hang below parent devices. Regions, cells, labels and devices carry
variables; a device's are resolved through that hierarchy: the narrowest level wins, and values are replaced, never merged.

Every request is made inside a project, by the headers \`X-Auth-Token\`, \`X-Auth-User\` and \`X-Auth-Project\`, or by
\`Authorization: Bearer <API key>\` alone.`;

/** The description of the API, made from the routes themselves. */
export function apiDescription(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Muster')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Auth-Token', description: 'The API key.' }, 'token')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Auth-User', description: 'The username.' }, 'user')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-Auth-Project', description: 'The project, a UUID.' },
      'project',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'mst_…', description: 'The API key.' },
      'bearer',
    )
    .addSecurityRequirements({ token: [], user: [], project: [] })
    .addSecurityRequirements({ bearer: [] })
    .build();
  return SwaggerModule.createDocument(app, builder, {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
}

interface Parameter {
  readonly required?: boolean;
  readonly schema?: { readonly example?: unknown; readonly items?: object };
}

/**
 * The same for the page that tries requests out. It fills every parameter that has an example, also those that may be
 * left out, and would then ask for what is in somebody else's inventory.
 */
export function withoutPrefilledOptions(description: OpenAPIObject): OpenAPIObject {
  const copy = structuredClone(description);
  for (const path of Object.values(copy.paths))
    for (const operation of Object.values(path) as { parameters?: Parameter[] }[])
      operation.parameters = (operation.parameters ?? []).map((parameter) =>
        parameter.required === true ? parameter : bare(parameter),
      );
  return copy;
}

function bare(parameter: Parameter): Parameter {
  const { schema = {} } = parameter;
  const { items } = schema;
  return { ...parameter, schema: { ...without(schema), ...(items ? { items: without(items) } : {}) } };
}

function without(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([member]) => member !== 'example'));
}
