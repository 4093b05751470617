// The parts of the API description that the types of the client and of the browser application are generated from.

/** Members that are only documentation, and would only make the types longer. */
const DOCUMENTATION = new Set(['example', 'examples', 'headers']);

/**
 * Removes what the client handles itself: headers, errors, dry runs and list pages. The remaining responses are what
 * the client's methods return.
 */
export function clientDescription(description) {
  const paths = Object.entries(description.paths)
    .filter(([path]) => path.startsWith('/v1/') && path !== '/v1/region')
    .map(([path, item]) => [path, mapValues(item, operationOf)]);
  const schemas = Object.fromEntries(
    Object.entries(description.components.schemas).filter(([name]) => !name.endsWith('ListItem')),
  );
  return bare({
    openapi: description.openapi,
    info: description.info,
    paths: Object.fromEntries(paths),
    components: { schemas },
  });
}

/**
 * What the browser application uses: all of `/v1` with the headers of writes and with dry runs, but without errors, which
 * it handles in one place, and list pages. Lists keep the schema of items with `fields`, whose members are optional.
 */
export function webDescription(description) {
  const withoutPages = (response) => ({
    ...response,
    ...(response.content ? { content: omit(response.content, PAGES) } : {}),
  });
  const paths = Object.entries(description.paths)
    .filter(([path]) => path.startsWith('/v1/') && path !== '/v1/region')
    .map(([path, item]) => [
      path,
      mapValues(item, ({ summary, parameters = [], requestBody, responses }) => ({
        summary,
        parameters: parameters.filter(
          ({ name, in: place }) => place !== 'header' || WEB_HEADERS.includes(name),
        ),
        ...(requestBody ? { requestBody } : {}),
        responses: mapValues(successesOf(responses), withoutPages),
      })),
    ]);
  return bare({
    openapi: description.openapi,
    info: description.info,
    paths: Object.fromEntries(paths),
    components: { schemas: description.components.schemas },
  });
}

const WEB_HEADERS = ['Idempotency-Key', 'If-Match', 'If-None-Match', 'X-Change-Reason'];

const successesOf = (responses) =>
  Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith('2')));

const omit = (object, name) => Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

function operationOf({ summary, operationId, parameters = [], requestBody, responses }) {
  const queries = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
  const ofDryRuns = queries.includes('dry_run') ? ['dry_run', 'limit', 'marker'] : [];
  const used = parameters.filter(({ in: place, name }) => place !== 'header' && !ofDryRuns.includes(name));
  const results = Object.entries(successesOf(responses)).filter(
    ([status]) => status !== '200' || !isOnlyForDryRuns(responses),
  );
  return {
    summary,
    operationId,
    parameters: used,
    ...(requestBody ? { requestBody } : {}),
    responses: Object.fromEntries(results.map(([status, response]) => [status, responseOf(response)])),
  };
}

/** Whether 200 is only the response to dry runs, as for creations and deletions. */
const isOnlyForDryRuns = (responses) => ('201' in responses || '204' in responses) && '200' in responses;

const PAGES = 'application/vnd.muster.page+json';

function responseOf({ description, content }) {
  if (!content) return { description };
  const remaining = Object.entries(content).filter(([type]) => type !== PAGES);
  const schemas = remaining.map(([type, { schema }]) => [
    type,
    { schema: wholeItems(withoutPreview(schema)) },
  ]);
  return { description, content: Object.fromEntries(schemas) };
}

const PREVIEWS = ['#/components/schemas/PreviewView', '#/components/schemas/TriedSetView'];

function withoutPreview(schema) {
  if (!schema.oneOf) return schema;
  const remaining = schema.oneOf.filter(({ $ref }) => !PREVIEWS.includes($ref));
  return remaining.length === 1 ? remaining[0] : { ...schema, oneOf: remaining };
}

/** The schema of list items without `fields`. For a list with `fields`, the client's types select the members. */
function wholeItems(schema) {
  const item = schema.type === 'array' && schema.items.$ref?.match(/^(.*)ListItem$/);
  return item ? { ...schema, items: { $ref: `${item[1]}View` } } : schema;
}

const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** Removes documentation members, but not properties with their names. */
function bare(value, isNames = false) {
  if (Array.isArray(value)) return value.map((item) => bare(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isNames || !DOCUMENTATION.has(name))
      .map(([name, member]) => [name, bare(member, name === 'properties')]),
  );
}
