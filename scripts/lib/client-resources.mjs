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
  const devices = Object.keys(devicesOf(paths));
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

/** The collections in the response of `/v1/devices`. */
function devicesOf(paths) {
  const { schema } = paths['/v1/devices'].get.responses['200'].content['application/json'];
  return schema.properties.devices.properties;
}

const isFilter = ({ in: place, name }) => place === 'query' && !OF_LISTS.has(name);

const filterOf = ({ name, description, schema }, kinds) => ({
  name,
  description,
  type: (schema.items ?? schema).type,
  ...(schema.type === 'array' ? { repeatable: true } : {}),
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
  const named = schema.oneOf ? schema.oneOf[0] : schema;
  const { properties, required = [] } = schemas[named.$ref.split('/').at(-1)];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    description: property.description ?? '',
    type: typeOf(name, property),
    ...(required.includes(name) ? { required: true } : {}),
    ...(property.nullable ? { nullable: true } : {}),
    ...referenceOf(name, kinds),
  }));
}

function typeOf(name, { type, oneOf, items }) {
  if (name === 'labels') return 'labels';
  if (type === 'array') return items?.type === 'string' ? 'strings' : 'json';
  return type === undefined || oneOf || type === 'object' ? 'json' : type;
}

/** A member `region_id` refers to a region; a device's parent is a device of any kind. */
function referenceOf(name, kinds) {
  if (name === 'parent_id') return { refersTo: 'device' };
  const kind = name.endsWith('_id') ? name.slice(0, -3).replaceAll('_', '-') : '';
  return kinds.includes(kind) ? { refersTo: kind } : {};
}
