import { fleetDimensions } from '../fleet/dimensions';
import type { Fleet } from '../fleet/fleets';
import { piecesOf, storeAnswers, type StoredAnswer } from '../floor/stored-answers';
import type { Sides } from '../run/case';
import { withClient } from '../run/database';
import type { Side } from '../run/load';
import { headersOf, type Credentials, type FloorKind } from '../run/service';
import type { Stage } from '../run/stage';

/** An inventory in a database, and somebody who may ask for it. */
export interface Inventory {
  readonly databaseUrl: string;
  readonly credentials: Credentials;
}

/** The service on an inventory, asked for these paths. */
export async function asked(stage: Stage, inventory: Inventory, paths: readonly string[]): Promise<Side> {
  const { url, pid } = await stage.service(inventory.databaseUrl);
  return { url, pid, headers: headersOf(inventory.credentials), requests: paths.map((path) => ({ path })) };
}

/** The service, asked for these paths, and the floor that gives the same bytes. */
export async function reads(
  stage: Stage,
  inventory: Inventory,
  floorKind: FloorKind,
  paths: readonly string[],
): Promise<Sides> {
  const service = await asked(stage, inventory, paths);
  const answers: StoredAnswer[] = [];
  for (const path of new Set(paths)) answers.push({ path, pieces: piecesOf(await answerOf(service, path)) });
  await withClient(inventory.databaseUrl, (client) => storeAnswers(client, answers));
  const { url, pid } = await stage.floor(floorKind, inventory.databaseUrl);
  const floor = { ...service, url, pid };
  for (const { path, pieces } of answers.slice(0, 3)) {
    if ((await answerOf(floor, path)) !== pieces.join(''))
      throw new Error(`the floor answers ${path} otherwise than the service`);
  }
  return { service, floor };
}

/** The text that a side answers. @throws Error if it is not answered with 200 */
export async function answerOf({ url, headers }: Side, path: string): Promise<string> {
  const response = await fetch(url + path, { headers });
  const text = await response.text();
  if (response.status === 200) return text;
  throw new Error(`${path} was answered with ${String(response.status)}: ${text.slice(0, 500)}`);
}

/** What of a host is asked for. */
export interface KnownHost {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly region: number;
  readonly cell: number | null;
}

/** Hosts at even distances from each other, all over the fleet but its end: behind each there is room for a page. */
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
 * Hosts of the largest region, at even distances from each other, the last one near the end of the fleet. Behind each
 * stands the rest of its rack, more than a page of 30, so that pages of fleets of different sizes show the same
 * region's documents: what differs is the fleet, not the answer.
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
  // A tiny fleet may have none there.
  return hosts.length > 0 ? hosts : someHosts(stage, fleet, count);
}
