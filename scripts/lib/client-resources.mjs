// The resources of the API, their members and filters, from which the client builds its commands.

/** The members that can be a resource's name. */
const NAMES = ['name', 'label', 'username'];
/** Parameters of lists that are not filters. */
const OF_LISTS = new Set([
  'limit',
  'marker',
  'sort_keys',
  'sort_dir',
  'fields',
  'resolved-values',
  'project_id',
  'explain',
]);

/** Every collection whose resources can be created, shown and updated individually. Devices inherit, and come last. */
export function resourcesOf({ paths, components: { schemas } }) {
  const collections = Object.keys(paths).filter(
    (path) => /^\/v1\/[^/]+$/.test(path) && paths[path].post && paths[path].get && paths[`${path}/{id}`]?.put,
  );
  const kinds = collections.map((path) => path.slice('/v1/'.length).replace(/s$/, ''));
  const devices = Object.keys(devicesOf(schemas));
  const resources = collections.map((path) => {
    const collection = path.slice('/v1/'.length);
    const list = paths[path].get;
    const one = paths[`${path}/{id}`];
    const create = membersOf(paths[path].post, schemas, kinds);
    return {
      kind: collection.replace(/s$/, ''),
      collection,
      nameMember: NAMES.find((name) => create.some((member) => member.name === name)) ?? null,
      isDevice: devices.includes(collection),
      carriesVariables: `${path}/{id}/variables` in paths,
      inherits: `${path}/{id}/variables/explain` in paths,
      isProposable: one.put.parameters.some(({ name }) => name === 'propose'),
      create,
      update: membersOf(one.put, schemas, kinds),
      filters: list.parameters.filter((parameter) => isFilter(parameter)).map((one) => filterOf(one, kinds)),
      fields: listOf(list, 'fields'),
      sortKeys: listOf(list, 'sort_keys'),
    };
  });
  return resources.sort((a, b) => Number(a.isDevice) - Number(b.isDevice));
}

/** The kinds of resources that change records have. */
export function changeKindsOf({ paths }) {
  const { schema } = paths['/v1/changes'].get.parameters.find(({ name }) => name === 'kind');
  return schema.enum;
}

/** The collection of each kind in change records, as roles name it. What has no collection of its own, such as settings, keeps its kind. */
export const collectionsByKindOf = (description) =>
  Object.fromEntries(
    changeKindsOf(description).map((kind) => [kind, `/v1/${kind}s` in description.paths ? `${kind}s` : kind]),
  );

/** The collections in the response of `/v1/devices`. */
const devicesOf = (schemas) => schemas.DevicesByKind.properties;

const resolve = ({ $ref }, schemas) => schemas[$ref.split('/').at(-1)];

const isFilter = ({ in: place, name }) => place === 'query' && !OF_LISTS.has(name);

const filterOf = ({ name, description, schema }, kinds) => ({
  name,
  description,
  type: (schema.items ?? schema).type,
  ...(schema.type === 'array' ? { repeatable: true } : {}),
  ...(schema.items?.pattern?.endsWith('|null)$') ? { nullable: true } : {}),
  ...referenceOf(name, kinds),
});

/** The allowed values of a list parameter. */
function listOf({ parameters }, name) {
  const { schema } = parameters.find((parameter) => parameter.name === name);
  if (schema.items?.enum) return schema.items.enum;
  throw new Error(`the parameter ${name} has no enum`);
}

function membersOf(operation, schemas, kinds) {
  const { schema } = operation.requestBody.content['application/json'];
  const named = resolve(schema, schemas);
  const { properties, required = [] } = named.oneOf ? resolve(named.oneOf[0], schemas) : named;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    description: property.description ?? '',
    type: typeOf(name, property),
    ...(required.includes(name) ? { required: true } : {}),
    ...(isNullable(property) ? { nullable: true } : {}),
    ...referenceOf(name, kinds),
  }));
}

/** A member with any JSON value has no type. */
const isNullable = ({ type, oneOf, allOf }) => [type].flat().includes('null') || !(type || oneOf || allOf);

function typeOf(name, { type: types, items }) {
  if (name === 'labels') return 'labels';
  const [type] = [types].flat();
  if (type === 'array') return items?.type === 'string' ? 'strings' : 'json';
  return type === undefined || type === 'object' ? 'json' : type;
}

/** A member `region_id` refers to a region; a device's parent is a device of any kind. */
function referenceOf(name, kinds) {
  if (name === 'parent_id') return { refersTo: 'device' };
  const kind = name.endsWith('_id') ? name.slice(0, -3).replaceAll('_', '-') : '';
  return kinds.includes(kind) ? { refersTo: kind } : {};
}
