// The description of the API as far as the client's types are made from it.

/** Members of a schema that are for readers, and would only make the types longer. */
const FOR_READERS = new Set(['example', 'examples', 'headers']);

/**
 * Without what the client does for its callers: headers, errors, dry runs, pages of lists. What is left of an answer is
 * what the client's methods return.
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

function operationOf({ summary, operationId, parameters = [], requestBody, responses }) {
  const queries = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
  const ofDryRuns = queries.includes('dry_run') ? ['dry_run', 'limit', 'marker'] : [];
  const asked = parameters.filter(({ in: place, name }) => place !== 'header' && !ofDryRuns.includes(name));
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const answers = successes.filter(([status]) => status !== '200' || !isOfDryRunsAlone(responses));
  return {
    summary,
    operationId,
    parameters: asked,
    ...(requestBody ? { requestBody } : {}),
    responses: Object.fromEntries(answers.map(([status, answer]) => [status, answerOf(answer)])),
  };
}

/** What creates or deletes answers 200 to a dry run, and to nothing else. */
const isOfDryRunsAlone = (responses) => ('201' in responses || '204' in responses) && '200' in responses;

const PAGES = 'application/vnd.muster.page+json';

function answerOf({ description, content }) {
  if (!content) return { description };
  const kept = Object.entries(content).filter(([type]) => type !== PAGES);
  const schemas = kept.map(([type, { schema }]) => [type, { schema: wholeItems(withoutPreview(schema)) }]);
  return { description, content: Object.fromEntries(schemas) };
}

const PREVIEWS = ['#/components/schemas/PreviewView', '#/components/schemas/TriedSetView'];

function withoutPreview(schema) {
  if (!schema.oneOf) return schema;
  const kept = schema.oneOf.filter(({ $ref }) => !PREVIEWS.includes($ref));
  return kept.length === 1 ? kept[0] : { ...schema, oneOf: kept };
}

/** The items of a list as they are without `fields`: for a list with them, the client's types select the members. */
function wholeItems(schema) {
  const item = schema.type === 'array' && schema.items.$ref?.match(/^(.*)ListItem$/);
  return item ? { ...schema, items: { $ref: `${item[1]}View` } } : schema;
}

const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** Without examples, wherever they stand; a property may be called so. */
function bare(value, isNames = false) {
  if (Array.isArray(value)) return value.map((item) => bare(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isNames || !FOR_READERS.has(name))
      .map(([name, member]) => [name, bare(member, name === 'properties')]),
  );
}
