import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { takeProposable } from '../auth/access';
import type { ListBody } from '../core/context/request-context';
import { JSON_MEDIA_TYPE } from '../http/accept';
import { type ApiSchema, jsonContent } from '../http/api-schemas';
import { ARRAY_MEDIA_TYPE, LIMITS, PAGE_MEDIA_TYPE } from '../lists/list-query';
import { ProposalDetailsView } from '../proposals/proposal.dto';
import { PreviewView } from '../resources/preview.view';
import { LinkView } from '../resources/resource.view';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;
export type ResponseOrReference = Operation['responses'][string];
export type Schemas = Record<string, ApiSchema>;

/** A read whose response has an entity tag responds with 304 to a client that has the same body. */
export function describeRevalidation(operation: Operation): void {
  const response = operation.responses['200'];
  if (!response || !('content' in response) || !response.headers?.['ETag']) return;
  operation.parameters ??= [];
  operation.parameters.push({
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of an earlier response. If the response would be the same, it is 304, without a body.',
    schema: { type: 'string', example: '"3-0f343b0931126a20f133d67c2b018a3b"' },
  });
  operation.responses['304'] = {
    description: 'The response has the entity tag in `If-None-Match`.',
    headers: { ETag: response.headers['ETag'] },
  };
}

/** Every write accepts `dry_run`, and nothing else does. */
export const acceptsDryRun = ({ parameters = [] }: Operation): boolean =>
  parameters.some((parameter) => 'name' in parameter && parameter.name === 'dry_run');

/**
 * With `fields`, a list returns only the selected members. Its items therefore have a separate schema in which no
 * selectable member is required: `HostListItem` for `HostView`.
 */
export function describeFields({ parameters = [], responses }: Operation, schemas: Schemas): void {
  const fields = parameters.find((parameter) => 'name' in parameter && parameter.name === 'fields');
  const response = responses['200'];
  if (!fields || !('schema' in fields) || !response || !('content' in response)) return;
  const selectable: unknown[] = itemsOf(fields.schema)?.enum ?? [];
  const list = response.content[JSON_MEDIA_TYPE]?.schema;
  const view = list && 'items' in list ? list.items : undefined;
  if (!list || !view || !('$ref' in view)) throw new Error('The items of a list have no separate schema.');
  const viewName = nameOf(view);
  const itemName = viewName.replace(/View$/, 'ListItem');
  schemas[itemName] ??= withoutRequired(schemas[viewName], selectable);
  Object.assign(list, { items: { $ref: getSchemaPath(itemName) } });
}

const nameOf = ({ $ref }: { readonly $ref: string }): string => $ref.slice(getSchemaPath('').length);

/**
 * A list also has the form of a page object. Of two JSON media types of one response, generated clients use the wrong
 * one, so the response has the type of the form that clients get without asking, and names the other one.
 */
export function describePages(
  { parameters = [], responses }: Operation,
  schemas: Schemas,
  listBody: ListBody,
): void {
  const response = responses['200'];
  if (!response || !('content' in response) || !response.headers?.['Link']) return;
  const media = response.content[JSON_MEDIA_TYPE];
  const list = media?.schema;
  if (!media || !list || !('items' in list) || !('$ref' in list.items))
    throw new Error('A list has no items.');
  const pageName = `${nameOf(list.items).replace(/(ListItem|View)$/, '')}Page`;
  const page = { $ref: getSchemaPath(pageName) };
  schemas[pageName] ??= {
    type: 'object',
    required: ['items', 'links'],
    properties: { items: list, links: { type: 'array', items: { $ref: getSchemaPath(LinkView) } } },
  };
  const more = response.description.replace(/^.*?\.(?= |$)/, '');
  if (listBody === 'page') {
    response.description = `A page object.${more} With \`Accept: ${ARRAY_MEDIA_TYPE}\`, an array of that media type, with links in the \`Link\` header.`;
    media.schema = page;
    delete response.headers['Link'];
    const limit = parameters.find((parameter) => 'name' in parameter && parameter.name === 'limit');
    const { min: minimum, max: maximum } = LIMITS.page;
    if (limit && 'schema' in limit) Object.assign(limit.schema ?? {}, { minimum, maximum });
    return;
  }
  response.description = `An array, with links in the \`Link\` header.${more} With \`Accept: ${PAGE_MEDIA_TYPE}\`, a \`${pageName}\` of that media type.`;
  Object.assign(response, { [PAGE_EXTENSION]: page });
}

/** The extension of a response that references the schema of its other form. */
const PAGE_EXTENSION = 'x-page';

const itemsOf = (schema: ApiSchema | undefined) =>
  schema && 'items' in schema && 'enum' in schema.items ? schema.items : undefined;

function withoutRequired(schema: ApiSchema | undefined, members: readonly unknown[]): ApiSchema {
  if (!schema || '$ref' in schema) throw new Error('The items of a list are not described.');
  const { required = [], ...others } = schema;
  const remaining = required.filter((member) => !members.includes(member));
  return remaining.length === 0 ? others : { ...others, required: remaining };
}

/**
 * A dry run returns a preview instead of the response of the write. Some generated clients have one type for all
 * successful responses of an operation, so a creation and its dry run have the same schema.
 */
export function describePreview(operation: Operation, schemas: Schemas): void {
  if (!acceptsDryRun(operation)) return;
  const { responses } = operation;
  const content = jsonOf(responses['201']) ?? jsonOf(responses['200']);
  const preview = { $ref: getSchemaPath(PreviewView) };
  if (!content) {
    responses['200'] = { description: PREVIEW, content: jsonContent(preview) };
    return;
  }
  const { schema = {} } = content;
  const variants = 'oneOf' in schema ? (schema.oneOf ?? []) : [schema];
  const [first] = variants;
  if (!first || !('$ref' in first)) throw new Error('The body of a write has no name.');
  // The route describes both responses itself.
  if (describesPreview(schemas[nameOf(first)], schemas)) return;
  const either = `${nameOf(first).replace(/View$/, '')}${variants.length > 1 ? 's' : ''}OrPreview`;
  schemas[either] ??= { oneOf: [...variants, preview] };
  content.schema = { $ref: getSchemaPath(either) };
  if (responses['201']) responses['200'] = { description: PREVIEW, content: { [JSON_MEDIA_TYPE]: content } };
}

/**
 * A write that can be proposed. Its response is no success of the operation in the description, but an extension that names
 * the schema: generated clients have one type for all successful responses, and a write returns no proposal unless it is asked to.
 */
export function describeProposal(operation: Operation): void {
  if (!takeProposable(operation)) return;
  operation.parameters ??= [];
  operation.parameters.push({
    name: 'propose',
    in: 'query',
    required: false,
    description:
      'Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`.',
    schema: { type: 'string', minLength: 1, maxLength: 255, example: 'New NTP servers' },
  });
  Object.assign(operation, { 'x-proposed': { $ref: getSchemaPath(ProposalDetailsView) } });
}

const PREVIEW = 'With `dry_run=true`: a preview of what it would do.';

/** Whether a schema is a union with a preview. */
const describesPreview = (schema: ApiSchema | undefined, schemas: Schemas): boolean =>
  schema !== undefined &&
  'oneOf' in schema &&
  (schema.oneOf ?? []).some((variant) => {
    const target = '$ref' in variant ? schemas[nameOf(variant)] : undefined;
    return target !== undefined && 'properties' in target && 'dry_run' in (target.properties ?? {});
  });

const jsonOf = (response: ResponseOrReference | undefined) =>
  response && 'content' in response ? response.content[JSON_MEDIA_TYPE] : undefined;
