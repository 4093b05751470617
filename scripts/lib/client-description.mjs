// The parts of the API description that the types of the client and of the browser application are generated from.

/** Members that are only documentation, and would only make the types longer. */
const DOCUMENTATION = new Set(['example', 'examples', 'headers']);

/** Request headers that no program sets itself: the client and the browser application identify the user. */
const OWN_HEADERS = ['Idempotency-Key', 'If-Match', 'If-None-Match', 'X-Change-Reason'];

/**
 * What the client and the browser application use: all of `/v1`, without errors, which they parse in one place.
 */
export function typesDescription(description) {
  const paths = Object.entries(description.paths)
    .filter(([path]) => path.startsWith('/v1/') && path !== '/v1/region')
    .map(([path, item]) => [path, mapValues(item, operationOf)]);
  return bare({
    openapi: description.openapi,
    info: description.info,
    paths: Object.fromEntries(paths),
    components: { schemas: description.components.schemas },
  });
}

function operationOf({ summary, operationId, parameters = [], requestBody, responses }) {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return {
    summary,
    operationId,
    parameters: parameters
      .filter(({ name, in: place }) => place !== 'header' || OWN_HEADERS.includes(name))
      .map(withSingleValues),
    ...(requestBody ? { requestBody } : {}),
    responses: Object.fromEntries(successes),
  };
}

/**
 * A parameter that can be repeated also takes one value, without an array; and an id that can be `null` also a number. Types
 * of other languages cannot say so, so the description does not.
 */
function withSingleValues(parameter) {
  const { explode, schema } = parameter;
  if (explode !== true || schema.type !== 'array') return parameter;
  const { items } = schema;
  const isId = items.type === 'string' && items.pattern?.endsWith('|null)$');
  const item = isId ? { oneOf: [{ type: 'integer' }, { type: 'string' }] } : items;
  return { ...parameter, schema: { oneOf: [item, { ...schema, items: item }] } };
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
