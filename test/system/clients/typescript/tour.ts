// A tour of Muster with a client that @hey-api/openapi-ts generated.
import { client } from './muster/client.gen.js';
import {
  cellsCreate,
  cellsDelete,
  hostsCreate,
  hostsDelete,
  hostsList,
  hostsSetVariables,
  hostsShow,
  hostsUpdate,
  hostVariablesGet,
  hostVariablesSet,
  regionsCreate,
  regionsDelete,
  regionVariablesSet,
} from './muster/sdk.gen.js';
import type { CreateHost, Preview } from './muster/types.gen.js';

client.setConfig({
  baseUrl: process.env.MUSTER_URL,
  // The API key as a bearer token: the service also accepts it in X-Auth-Token, with two more headers.
  auth: ({ scheme }) => (scheme === 'bearer' ? process.env.MUSTER_TOKEN : undefined),
  // Times with a zone: without this header, they are UTC without one.
  headers: { Prefer: 'times=rfc3339' },
});

/** The body of a successful response. */
function bodyOf<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

/** The one resource that a write returns: for several it returns an array, for a dry run a preview. */
function oneOf<T extends object>(body: T): Exclude<T, Preview | readonly unknown[]> {
  if (Array.isArray(body) || 'dry_run' in body) throw new Error('This is not one resource.');
  return body as Exclude<T, Preview | readonly unknown[]>;
}

// Create a region, a cell and a host. With an Idempotency-Key, a request can be repeated without creating another region.
const north = { body: { name: 'north' }, headers: { 'Idempotency-Key': 'tour-north' } };
const region = oneOf(bodyOf(await regionsCreate(north)));
const again = oneOf(bodyOf(await regionsCreate(north)));
const cell = oneOf(bodyOf(await cellsCreate({ body: { name: 'rack-a', region_id: region.id } })));

function hostNamed(name: string, ip_address: string): CreateHost {
  return { name, region_id: region.id, cell_id: cell.id, ip_address, device_type: 'server' };
}

const web = oneOf(bodyOf(await hostsCreate({ body: hostNamed('web-1', '10.1.0.10') })));
console.log(`Created the region ${region.name}, the cell ${cell.name} and the host ${web.name}.`);
console.log(
  `Sent again with the same Idempotency-Key: ${again.id === region.id ? 'the same' : 'another'} region.`,
);
if (Date.now() - Date.parse(web.created_at) < 3_600_000)
  console.log('web-1 was created within the last hour.');

// Create several hosts with one request: all or none.
const more = Array.from({ length: 24 }, (_, index) => hostNamed(`db-${index + 1}`, `10.1.1.${index + 1}`));
const databases = bodyOf(await hostsCreate({ body: more }));
if (!Array.isArray(databases)) throw new Error('These are not several hosts.');
console.log(`Created ${databases.length} hosts with one request.`);

// List all hosts by pages, until one is empty: the marker of the next page is the id of the last host of this one.
const pages: number[] = [];
let marker: string | undefined;
do {
  const page = bodyOf(await hostsList({ query: { limit: 10, marker } }));
  if (page.length > 0) pages.push(page.length);
  marker = page.length > 0 ? String(page.at(-1)?.id) : undefined;
} while (marker !== undefined);
console.log(`Pages of hosts: ${pages.join(', ')}.`);

// Set variables on a region and on a host. Hosts inherit those of their region and cell.
const servers = { ntp_servers: ['10.1.0.1', '10.1.0.2'] };
bodyOf(await regionVariablesSet({ path: { id: region.id }, body: servers }));
bodyOf(await hostVariablesSet({ path: { id: web.id }, body: { kernel: '6.12' } }));
const own = bodyOf(await hostVariablesGet({ path: { id: web.id } })).variables;
console.log(`Own variables of web-1: ${Object.keys(own).join(', ')} ${String(own.kernel)}.`);
const { variables } = bodyOf(
  await hostVariablesGet({ path: { id: web.id }, query: { 'resolved-values': true } }),
);
const ntp = (variables.ntp_servers as string[]).join(' and ');
console.log(`Resolved variables of web-1: kernel ${String(variables.kernel)}, NTP servers ${ntp}.`);

// Filter by resolved variables.
const matching = bodyOf(await hostsList({ query: { vars: 'kernel:"6.12"' } }));
console.log(`Hosts with kernel 6.12: ${matching.map(({ name }) => name).join(', ')}.`);

// Errors have a code, and details that name the field.
const { error: invalid } = await hostsCreate({ body: hostNamed('web-2', '10.1.0') });
console.log(
  `400 ${String(invalid?.code)}: ${String(invalid?.details.map(({ field }) => field).join(', '))}.`,
);
const { error: missing } = await hostsShow({ path: { id: web.id + 1_000_000 } });
console.log(`404 ${String(missing?.code)}.`);
const { error: duplicate } = await hostsCreate({ body: hostNamed('web-1', '10.1.0.11') });
console.log(`409 ${String(duplicate?.code)}.`);

// Update a host only if nobody else has changed it since it was read.
const { version } = bodyOf(await hostsShow({ path: { id: web.id } }));
const move = (ifVersion: number) =>
  hostsUpdate({ path: { id: web.id }, body: { note: 'moved' }, headers: { 'If-Match': `"${ifVersion}"` } });
const { error: stale } = await move(version + 1);
console.log(`412 ${String(stale?.code)}.`);
const updated = oneOf(bodyOf(await move(version)));
console.log(`Updated with If-Match: web-1 has the note "${String(updated.note)}".`);

// A dry run validates a write and returns what it would do.
const preview = bodyOf(await hostsDelete({ path: { id: web.id }, query: { dry_run: true } }));
if (!preview) throw new Error('This is not a preview.');
const still = bodyOf(await hostsShow({ path: { id: web.id } }));
console.log(`Dry run: would delete ${preview.change.objects_total} host. ${still.name} is still there.`);

// Set variables on many hosts with one request.
const ids = databases.map(({ id }) => id);
const outcome = bodyOf(await hostsSetVariables({ body: { ids, variables: { kernel: '6.13' } } }));
console.log(`Set kernel 6.13 on ${outcome.updated} hosts with one request.`);

// Delete: 204 has no content.
for (const id of [...ids, web.id]) bodyOf(await hostsDelete({ path: { id } }));
bodyOf(await cellsDelete({ path: { id: cell.id } }));
bodyOf(await regionsDelete({ path: { id: region.id } }));
console.log('Deleted all.');
