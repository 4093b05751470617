import { fleetDimensions } from '../fleet/dimensions';
import type { Fleet } from '../fleet/fleets';
import { piecesOf, storeResponses, type StoredResponse } from '../floor/stored-answers';
import type { Sides } from '../run/case';
import { withClient } from '../run/database';
import type { Side } from '../run/load';
import { headersOf, type Credentials, type FloorKind } from '../run/service';
import type { Stage } from '../run/stage';

/** An inventory in a database, and credentials for it. */
export interface Inventory {
  readonly databaseUrl: string;
  readonly credentials: Credentials;
}

/** The service on an inventory, with requests for these paths. */
export async function serviceSide(
  stage: Stage,
  inventory: Inventory,
  paths: readonly string[],
): Promise<Side> {
  const { url, pid } = await stage.service(inventory.databaseUrl);
  return { url, pid, headers: headersOf(inventory.credentials), requests: paths.map((path) => ({ path })) };
}

/** The service with requests for these paths, and a floor that returns the same bytes. */
export async function reads(
  stage: Stage,
  inventory: Inventory,
  floorKind: FloorKind,
  paths: readonly string[],
): Promise<Sides> {
  const service = await serviceSide(stage, inventory, paths);
  const storedResponses: StoredResponse[] = [];
  for (const path of new Set(paths))
    storedResponses.push({ path, pieces: piecesOf(await fetchText(service, path)) });
  await withClient(inventory.databaseUrl, (client) => storeResponses(client, storedResponses));
  const { url, pid } = await stage.floor(floorKind, inventory.databaseUrl);
  const floor = { ...service, url, pid };
  for (const { path, pieces } of storedResponses.slice(0, 3)) {
    if ((await fetchText(floor, path)) !== pieces.join(''))
      throw new Error(`the floor and the service return different responses to ${path}`);
  }
  return { service, floor };
}

/** The response body of a side. @throws Error if the status is not 200 */
export async function fetchText({ url, headers }: Side, path: string): Promise<string> {
  const response = await fetch(url + path, { headers });
  const text = await response.text();
  if (response.status === 200) return text;
  throw new Error(`${path} failed with ${String(response.status)}: ${text.slice(0, 500)}`);
}

/** The members of a host that requests use. */
export interface KnownHost {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly region: number;
  readonly cell: number | null;
}

/** Hosts evenly spread over the fleet, except at its end: a full page follows each of them. */
export function someHosts(stage: Stage, fleet: Fleet, count: number): Promise<KnownHost[]> {
  return stage.rows<KnownHost & Record<string, unknown>>(
    fleet.databaseUrl,
    `WITH bounds AS (SELECT min(id) AS low, max(id) AS high FROM devices WHERE project_id = $1)
     SELECT DISTINCT d.id::integer, d.name, host(d.ip_address) AS address, d.region_id::integer AS region,
       d.cell_id::integer AS cell
     FROM bounds, generate_series(1, $2::integer) k, LATERAL (
       SELECT * FROM devices d WHERE d.project_id = $1 AND d.kind = 'host' AND d.id > low + (high - low - least(2000, (high - low) / 2)) * k / $2
       ORDER BY d.id LIMIT 1) d ORDER BY 1`,
    [fleet.credentials.project, count],
  );
}

/**
 * Hosts evenly spread over the largest region, the last one near the end of the fleet. The rest of its rack follows
 * each of them, more than a page of 30, so that pages of fleets of different sizes show documents of the same region.
 */
export async function hostsOfLargestRegion(stage: Stage, fleet: Fleet, count: number): Promise<KnownHost[]> {
  const { rack } = fleetDimensions(fleet.devices);
  const hosts = await stage.rows<KnownHost & Record<string, unknown>>(
    fleet.databaseUrl,
    `WITH bounds AS (SELECT min(id) AS low, max(id) AS high FROM devices WHERE project_id = $1)
     SELECT DISTINCT d.id::integer, d.name, host(d.ip_address) AS address, d.region_id::integer AS region,
       d.cell_id::integer AS cell
     FROM bounds, generate_series(1, $2::integer) k, LATERAL (
       SELECT * FROM devices d WHERE d.project_id = $1 AND d.kind = 'host' AND d.region_id = $3
         AND (d.id - low) % $4 BETWEEN 1 AND 5 AND d.id < low + (high - low) * k / $2
       ORDER BY d.region_id DESC, d.id DESC LIMIT 1) d ORDER BY 1`,
    [fleet.credentials.project, count, fleet.samples.region.large, rack],
  );
  // A tiny fleet may have no such hosts.
  return hosts.length > 0 ? hosts : someHosts(stage, fleet, count);
}
