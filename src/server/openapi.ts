import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { ListBody } from '../core/context/request-context';
import { deviceKinds } from '../devices/device-kinds';
import { errorResponse } from '../http/api-errors';
import { namedSchemas } from '../http/api-schemas';
import { ARRAY_MEDIA_TYPE, PAGE_MEDIA_TYPE } from '../lists/list-query';
import { shareComponents } from './openapi-components';
import {
  describeFields,
  describePages,
  describePreview,
  describeProposal,
  describeRevalidation,
  acceptsDryRun,
  type Operation,
  type ResponseOrReference,
} from './openapi-responses';
import {
  EXAMPLE_CONSISTENCY_TOKEN,
  CONSISTENCY_TOKEN,
  CONSISTENCY_TOKEN_HEADER,
  PROJECT_HEADER,
} from '../http/request';

const DESCRIPTION = `Muster is an inventory of a fleet of physical devices. Projects contain regions, and regions contain cells. A
device belongs to a region and optionally to a cell. It can have labels and a parent device. Regions, cells, labels and
devices have variables. The variables of a device are resolved through this hierarchy: the value of the narrowest level wins.
It replaces other values; values are never merged.

Every request is made within a project. It is authenticated by the headers \`X-Auth-Token\`, \`X-Auth-User\` and
\`X-Auth-Project\`, by \`Authorization: Bearer <API key>\` alone, or by the cookie of a session. With the cookie, \`X-Auth-Project\` names
the project that the page shows: writes need it, and a request for a project that the session cannot enter gets 409. If the service uses OpenStack Keystone
or an OpenID provider (\`IDENTITY\`), either header accepts a token of the provider instead of the API key, without further
headers.

A list is an array or a page object, as the deployment prefers (\`LIST_BODY\`). The header \`Accept: ${ARRAY_MEDIA_TYPE}\` or
\`Accept: ${PAGE_MEDIA_TYPE}\`, which a client can send with every request, selects the form and the limits of its pages.

Times in responses are UTC without a zone: \`2017-02-16T14:28:55.000000\`. With the header \`Prefer: times=rfc3339\`, which a client can
send with every request, they end with \`Z\`, and the response has \`Preference-Applied: times=rfc3339\`. Requests accept both forms.`;

/** The groups of operations, from which generators make classes and files. */
const TAGS: Readonly<Record<string, string>> = {
  operations: 'Health, metrics and the entry point.',
  devices: 'Devices of all kinds.',
  ...Object.fromEntries(
    deviceKinds.map(({ mapping: { collection } }) => [
      collection,
      `${collection.charAt(0).toUpperCase()}${collection.slice(1).replaceAll('-', ' ')} and their labels.`,
    ]),
  ),
  regions: 'Regions.',
  cells: 'Cells of regions.',
  labels: 'Labels, which can have variables.',
  clouds: 'Clouds, to which regions can belong.',
  variables: 'Variables of resources, and where they are set.',
  'variable-definitions': 'JSON Schemas for variables.',
  audits: 'Conditions that devices must meet.',
  views: 'Saved views of the explorer.',
  proposals: 'Writes that wait for approval: revisions, discussion, reviews and previews.',
  changes: 'Change records, the feed of changes, and reverts.',
  statistics: 'Counts of devices and of values.',
  search: 'Search in all collections.',
  bulk: 'Exports and imports.',
  integrations: 'Inventories for other programs.',
  projects: 'Projects and their settings.',
  users: 'Users and their API keys.',
  'access-secrets': 'Secrets for access to devices.',
  sessions: 'Sessions of browsers.',
};

interface DescriptionOptions {
  /** The form of lists for clients that request none. */
  readonly listBody?: ListBody;
  /** The URL of the service; absent: that of the description. */
  readonly publicUrl?: string | undefined;
}

/** Generates the OpenAPI description from the routes. */
export function apiDescription(
  app: INestApplication,
  { listBody = 'array', publicUrl = '/' }: DescriptionOptions = {},
): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Muster')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    // Clients append paths, which begin with `/`.
    .addServer(publicUrl === '/' ? publicUrl : publicUrl.replace(/\/+$/, ''))
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'X-Auth-Token',
        description:
          'The API key, or a token of Keystone or of an OpenID provider, which needs neither of the other two headers.',
      },
      'token',
    )
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Auth-User', description: 'The username.' }, 'user')
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: PROJECT_HEADER,
        description: 'The project, a UUID. With the cookie of a session, only writes need it.',
      },
      'project',
    )
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'mst_…',
        description: 'The API key, or a token of Keystone or of an OpenID provider.',
      },
      'bearer',
    )
    .addCookieAuth(
      '__Host-muster',
      {
        type: 'apiKey',
        description: 'The cookie of a session; `muster` without TLS. See `POST /v1/session`.',
      },
      'session',
    )
    .addSecurityRequirements({ token: [], user: [], project: [] })
    .addSecurityRequirements({ bearer: [] })
    .addSecurityRequirements({ session: [], project: [] })
    .addSecurityRequirements({ session: [] })
    .build();
  builder.tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
  const description = SwaggerModule.createDocument(app, builder, {
    operationIdFactory: operationId,
  });
  const schemas = { ...description.components?.schemas, ...Object.fromEntries(namedSchemas) };
  description.components = { ...description.components, schemas };
  for (const [path, { get, post, put, delete: remove }] of Object.entries(description.paths)) {
    if (get) {
      describeFields(get, schemas);
      describePages(get, schemas, listBody);
      describeRevalidation(get);
    }
    for (const operation of [post, put, remove])
      if (operation) {
        if (acceptsDryRun(operation)) describeIdempotency(operation);
        describePreview(operation, schemas);
        describeProposal(operation);
        // A body is read before the route can reject it, except that of a DELETE that takes none.
        if (operation !== remove || operation.requestBody)
          for (const status of [413, 415]) operation.responses[status] ??= errorResponse(status);
        // With the cookie of a session, a write of another origin is rejected.
        operation.responses[403] ??= errorResponse(403);
      }
    for (const operation of [get, post, put, remove])
      if (operation) {
        describeConsistency(operation);
        describeRates(operation);
        if (path !== '/v1/session') describeSessionProject(operation);
        if (path.startsWith('/v1/')) {
          operation.responses[406] ??= errorResponse(406);
          describePreference(operation);
        }
        describeHeaders(operation);
      }
  }
  return shareComponents(description);
}

/** `hostsCreate` for `HostsController.create`. Controllers name the operations for which this reads badly. */
const operationId = (controller: string, method: string): string => {
  const [first = '', ...others] = controller.replace(/Controller$/, '');
  const verb = method === 'put' ? 'set' : method;
  return `${first.toLowerCase()}${others.join('')}${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
};

/** Every write of the inventory accepts an idempotency key. */
function describeIdempotency(operation: Operation): void {
  const { responses } = operation;
  operation.parameters ??= [];
  operation.parameters.push({
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: '^[ -~]+$',
      example: '6f1c1f0e-new-rack',
    },
  });
  responses['409'] ??= errorResponse(409);
  // Next to a 201, a 200 is the response to a dry run, which is never replayed.
  addHeaders(responses['201'] ?? responses['204'] ?? responses['200'], REPLAYED);
}

/** Writes return a consistency token, and reads accept it. Public routes do neither. */
function describeConsistency(operation: Operation): void {
  if (operation.security?.length === 0) return;
  const { responses } = operation;
  if (acceptsDryRun(operation)) {
    for (const status of ['200', '201', '204']) addHeaders(responses[status], CONSISTENCY_TOKEN_HEADER);
    for (const status of ['200', '201']) addHeaders(responses[status], WARNING);
    return;
  }
  operation.parameters ??= [];
  operation.parameters.push({
    name: CONSISTENCY_TOKEN,
    in: 'header',
    required: false,
    description:
      'The token from the response to a write. The read then includes that write and all earlier ones, even on a replica.',
    schema: { type: 'string', example: EXAMPLE_CONSISTENCY_TOKEN },
  });
}

/** Every request under `/v1` can prefer times with a zone. */
function describePreference(operation: Operation): void {
  operation.parameters ??= [];
  operation.parameters.push({
    name: 'Prefer',
    in: 'header',
    required: false,
    description: 'With `times=rfc3339`, times in the response end with `Z`. Other preferences are ignored.',
    schema: { type: 'string', example: 'times=rfc3339' },
  });
}

/** Authenticated requests are rate-limited, and each response contains the remaining quota. */
function describeRates({ security, responses }: Operation): void {
  if (security?.length === 0) return;
  responses['429'] ??= errorResponse(429);
  for (const [status, response] of Object.entries(responses))
    if (status !== '401') addHeaders(response, RATE_HEADERS);
}

/** A request for another project than that of its session is rejected. */
function describeSessionProject({ security, responses }: Operation): void {
  if (security?.length !== 0) responses['409'] ??= errorResponse(409);
}

/** The headers of all responses, and of all responses with a certain status. */
function describeHeaders({ responses, deprecated }: Operation): void {
  for (const [status, response] of Object.entries(responses))
    addHeaders(response, {
      ...STATUS_HEADERS[status],
      ...REQUEST_ID,
      ...(deprecated ? DEPRECATION_HEADERS : {}),
    });
}

type ResponseHeaders = NonNullable<Extract<ResponseOrReference, { description: string }>['headers']>;

function addHeaders(response: ResponseOrReference | undefined, headers: ResponseHeaders): void {
  if (response && 'description' in response) response.headers = { ...response.headers, ...headers };
}

const textHeader = (description: string, example: string) => ({
  description,
  schema: { type: 'string' as const, example },
});

const REQUEST_ID = {
  'X-Request-Id': textHeader(
    'The `X-Request-Id` of the request, or else a new id. It is in the log and in the change record.',
    '2f1c6f0e-8f1d-4c53-9b5e-2a4f3f2b8a10',
  ),
};

/** The headers of the IETF draft, which responses have if `RATE_LIMIT` is set. */
const RATE_HEADERS = {
  RateLimit: textHeader(
    'If the service limits rates: how many requests the key has left (`r`), and after how many seconds all are available again (`t`).',
    '"key";r=9874;t=7',
  ),
  'RateLimit-Policy': textHeader(
    'If the service limits rates: the number of requests (`q`) per window of seconds (`w`).',
    '"key";q=10000;w=10',
  ),
};

const STATUS_HEADERS: Readonly<Record<string, Readonly<Record<string, ReturnType<typeof textHeader>>>>> = {
  401: { 'WWW-Authenticate': textHeader('The authentication scheme.', 'Bearer realm="muster"') },
  405: { Allow: textHeader('The methods that the path supports.', 'DELETE, GET, HEAD, PUT') },
  429: { 'Retry-After': textHeader('After how many seconds to retry.', '7') },
  503: {
    'Retry-After': textHeader(
      'After how many seconds to retry. Without this header, a write may have been committed.',
      '1',
    ),
  },
};

const WARNING = {
  Warning: textHeader(
    'For people: a name is easily mistaken for another one, or other devices have the same address.',
    '299 - "10.1.1.9 is also the address of host web-1"',
  ),
};

const DEPRECATION_HEADERS = {
  Link: textHeader('The operation that replaces it.', '</v1/regions>; rel="successor-version"'),
  Deprecation: textHeader(
    'When the operation was deprecated (RFC 9745), in seconds since 1970.',
    '@1796083200',
  ),
  Sunset: textHeader(
    'The earliest time at which the operation may be removed (RFC 8594).',
    'Fri, 01 Dec 2028 00:00:00 GMT',
  ),
};

const REPLAYED = {
  'Idempotency-Replayed': textHeader('`true`: this is the stored response of an earlier request.', 'true'),
};

interface Parameter {
  readonly required?: boolean;
  readonly schema?: { readonly example?: unknown; readonly items?: object };
}

/**
 * The description for the page that sends requests. It fills in every parameter that has an example, so optional
 * parameters lose theirs: the page would send filters for resources that the user does not have.
 */
export function withoutOptionalExamples(description: OpenAPIObject): OpenAPIObject {
  const copy = structuredClone(description);
  for (const path of Object.values(copy.paths))
    for (const operation of Object.values(path) as { parameters?: Parameter[] }[])
      operation.parameters = (operation.parameters ?? []).map((parameter) =>
        parameter.required === true ? parameter : withoutExamples(parameter),
      );
  return copy;
}

function withoutExamples(parameter: Parameter): Parameter {
  const { schema = {} } = parameter;
  const { items } = schema;
  return {
    ...parameter,
    schema: { ...withoutExample(schema), ...(items ? { items: withoutExample(items) } : {}) },
  };
}

function withoutExample(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([member]) => member !== 'example'));
}
