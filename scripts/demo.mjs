// `npm run demo`: loads a small made-up fleet into a running Muster, through the API like any other client.
// `npm run demo -- --hosts 20000` also loads a large one with that many hosts.
import { parseArgs } from 'node:util';
import * as fleet from './lib/demo-fleet.mjs';
import * as large from './lib/demo-large-fleet.mjs';
import { Failure, orExplain } from './lib/project.mjs';

/** Devices of both kinds share one namespace. */
const DEVICES = { hosts: fleet.hosts, 'network-devices': fleet.networkDevices };

/** How many lines are sent with an import. */
const LINES_PER_IMPORT = 5_000;
const MAX_HOSTS = 2_000_000;

async function loadDemo() {
  const hosts = numberOfHosts();
  const api = connect(settings());
  const loadedBefore = (await find(api, 'clouds', { name: fleet.cloud.name })) !== undefined;
  if (!loadedBefore) await requireFreeNames(api);
  const made = new Made();
  const cloud = await ensure(api, made, 'clouds', fleet.cloud);
  const regions = await loadRegions(api, made, cloud);
  const cells = await loadCells(api, made, regions);
  for (const label of fleet.labels) await ensure(api, made, 'labels', label, { name: label.label });
  const devices = await loadDevices(api, made, regions, cells);
  await loadSecret(api, made, devices.get(fleet.secret.host));
  const operator = await loadUser(api, made);
  report(made, operator);
  if (hosts > 0) await loadLargeFleet(api, hosts);
}

function numberOfHosts() {
  const options = { hosts: { type: 'string', default: '0' } };
  const { hosts } = parseOptions(options);
  if (!/^\d{1,7}$/.test(hosts) || Number(hosts) > MAX_HOSTS)
    throw new Failure(`--hosts takes a number up to ${MAX_HOSTS}, not "${hosts}".`);
  return Number(hosts);
}

function parseOptions(options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new Failure(`${error.message}. The only option is --hosts <number>.`);
  }
}

/** Loading it again changes nothing, except for what was changed since. */
async function loadLargeFleet(api, hosts) {
  let lines = [];
  let created = 0;
  const flush = async () => {
    const result = await api('POST', '/v1/import', lines.map((line) => JSON.stringify(line)).join('\n'), {
      'Content-Type': 'application/x-ndjson',
    });
    created += result.created;
    lines = [];
    process.stderr.write(`\r${created} resources created…`);
  };
  for (const line of large.largeFleet(hosts)) if (lines.push(line) === LINES_PER_IMPORT) await flush();
  await flush();
  process.stderr.write('\n');
  if (created === 0) return;
  for (const definition of large.definitions)
    if (!(await find(api, 'variable-definitions', { key: definition.key })))
      await api('POST', '/v1/variable-definitions', definition);
  for (const audit of large.audits)
    if (!(await find(api, 'audits', { name: audit.name }))) await api('POST', '/v1/audits', audit);
  for (const { method, path, reason, variables } of large.laterChanges)
    await api(method, path, { variables }, { 'X-Change-Reason': reason });
  console.log(`A fleet with ${hosts} hosts is loaded.`);
}

function settings() {
  const { MUSTER_URL = 'http://127.0.0.1:7780', MUSTER_PROJECT, MUSTER_USER, MUSTER_TOKEN } = process.env;
  const wanted = { MUSTER_PROJECT, MUSTER_USER, MUSTER_TOKEN };
  const missing = Object.keys(wanted).filter((name) => !wanted[name]);
  if (missing.length > 0)
    throw new Failure(
      `Please set ${missing.join(', ')} in the environment: the project, username and API key that the first ` +
        '"npm start" has printed. (MUSTER_URL, too, if Muster is not on http://127.0.0.1:7780.)',
    );
  return {
    url: MUSTER_URL.replace(/\/+$/, ''),
    project: MUSTER_PROJECT,
    user: MUSTER_USER,
    token: MUSTER_TOKEN,
  };
}

/** @returns a function that sends a request, with other headers if given, and returns the parsed response body */
function connect({ url, project, user, token }) {
  const headers = {
    'Content-Type': 'application/json',
    'X-Auth-Project': project,
    'X-Auth-User': user,
    'X-Auth-Token': token,
    'X-Change-Reason': 'npm run demo',
  };
  return async (method, path, body, others = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    let response;
    try {
      response = await fetch(`${url}${path}`, { method, headers: { ...headers, ...others }, body: text });
    } catch (error) {
      const reason = error.cause?.message || error.cause?.code || error.message;
      throw new Failure(
        `Cannot connect to Muster at ${url} (${reason}): start it with "npm start", or set MUSTER_URL.`,
      );
    }
    const received = await response.text();
    if (response.ok) return received === '' ? undefined : JSON.parse(received);
    throw new Failure(`${method} ${path} was answered with ${response.status}: ${messageOf(received)}`);
  };
}

/** The message of an error response. A proxy may send a body that is not Muster's. */
function messageOf(received) {
  try {
    return JSON.parse(received).message;
  } catch (error) {
    if (error instanceof SyntaxError) return received.slice(0, 200);
    throw error;
  }
}

/** The first match in the project. The project is given, because a root user's lists contain all projects. */
async function find(api, collection, filters) {
  const query = new URLSearchParams({ ...filters, project_id: process.env.MUSTER_PROJECT });
  const list = await api('GET', `/v1/${collection}?${query}`);
  // A deployment may return lists as page objects.
  return (Array.isArray(list) ? list : list.items)[0];
}

/** Fails if existing resources use the demo's names. */
async function requireFreeNames(api) {
  const names = [
    ...fleet.regions.map(({ name }) => ['regions', name]),
    ...fleet.labels.map(({ label }) => ['labels', label]),
    ...Object.values(DEVICES).flatMap((devices) =>
      devices.flatMap(({ name }) => Object.keys(DEVICES).map((collection) => [collection, name])),
    ),
    ['users', fleet.user.username],
  ];
  const taken = await Promise.all(names.map(([collection, name]) => find(api, collection, { name })));
  const first = names.find((_, i) => taken[i] !== undefined);
  if (first)
    throw new Failure(
      `In ${first[0]} of this project there is ${first[1]} already, and it is not the demo's: give the demo a ` +
        'project of its own (POST /v1/projects) and set MUSTER_PROJECT to its id.',
    );
}

/** Counts the created resources by collection. */
class Made {
  counts = new Map();

  count(collection) {
    this.counts.set(collection, (this.counts.get(collection) ?? 0) + 1);
  }

  toString() {
    return [...this.counts].map(([name, n]) => `${n} ${n === 1 ? name.slice(0, -1) : name}`).join(', ');
  }
}

/** Creates a resource, unless an earlier run has created it. */
async function ensure(api, made, collection, members, key = { name: members.name }) {
  const known = await find(api, collection, key);
  if (known) return known;
  const resource = await api('POST', `/v1/${collection}`, members);
  made.count(collection);
  return resource;
}

async function loadRegions(api, made, cloud) {
  const ids = new Map();
  for (const members of fleet.regions) {
    const region = await ensure(api, made, 'regions', { ...members, cloud_id: cloud.id });
    ids.set(members.name, region.id);
  }
  return ids;
}

/** @returns IDs by the names of region and cell */
async function loadCells(api, made, regions) {
  const ids = new Map();
  for (const { region, ...members } of fleet.cells) {
    const region_id = regions.get(region);
    const key = { name: members.name, region_id };
    const cell = await ensure(api, made, 'cells', { ...members, region_id }, key);
    ids.set(`${region} ${members.name}`, cell.id);
  }
  return ids;
}

/** @returns devices by name */
async function loadDevices(api, made, regions, cells) {
  const devices = new Map();
  const load = async (collection, { region, cell, parent, ...members }) => {
    const device = await ensure(api, made, collection, {
      ...members,
      region_id: regions.get(region),
      ...(cell === undefined ? {} : { cell_id: cells.get(`${region} ${cell}`) }),
      ...(parent === undefined ? {} : { parent_id: devices.get(parent).id }),
    });
    devices.set(members.name, device);
  };
  for (const members of fleet.networkDevices) await load('network-devices', members);
  for (const members of fleet.hosts) await load('hosts', members);
  const { host, variables } = fleet.exactNumbers;
  const { id, variables: known } = devices.get(host);
  if (known.serial === undefined) await api('PUT', `/v1/hosts/${id}/variables`, variables);
  return devices;
}

async function loadSecret(api, made, host) {
  if (host.access_secret_id !== null) return;
  const secret = await api('POST', '/v1/access-secrets', { cert: fleet.secret.cert });
  made.count('access-secrets');
  await api('PUT', `/v1/hosts/${host.id}`, { access_secret_id: secret.id });
}

async function loadUser(api, made) {
  const user = await ensure(api, made, 'users', fleet.user, { username: fleet.user.username });
  // Only the response to the creation contains the key.
  if (user.api_key !== undefined) await api('PUT', `/v1/users/${user.id}/variables`, fleet.userVariables);
  return user;
}

function report(made, operator) {
  if (made.counts.size === 0) {
    console.log('The demo is loaded already: nothing was made.');
    return;
  }
  console.log(`The demo is loaded: ${made}.`);
  if (operator.api_key !== undefined)
    console.log(
      `The user ${operator.username} may write hosts and the variables ntp_*; the API key, shown this once:\n  ${operator.api_key}`,
    );
  console.log(`
To try next, with the same variables in the environment:

  ask() { curl -sS -g -H "X-Auth-Project: $MUSTER_PROJECT" -H "X-Auth-User: $MUSTER_USER" \\
    -H "X-Auth-Token: $MUSTER_TOKEN" -H 'Content-Type: application/json' -w '\\n' "$MUSTER_URL$@"; }

  ask '/v1/hosts?name=web-1'                          one host, its variables resolved
  ask '/v1/hosts?name=web-1&resolved-values=false'    the same with its own alone
  ask '/v1/hosts?vars=monitoring.interval:15'         every host that is watched this closely
  ask '/v1/changes?limit=3&sort_dir=desc'             who changed what, and why

README.md goes on with the explorer and the client, docs/api/tour.md with curl.`);
}

await orExplain(loadDemo);
