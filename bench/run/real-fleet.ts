import { existsSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { projectDir } from '../../src/database/connection/connection';
import { migrations } from '../../src/migrations';
import { migrate } from '../../src/database/migrate';
import { adminOf, makeProject } from '../fleet/accounts';
import { withClient, type BenchServer } from './database';
import { headersOf, startService, type ServiceUnderTest } from './service';
import type { Inventory } from '../cases/reads';

/** A fleet in a file, with references by name. */
interface FleetFile {
  readonly regions: readonly Named[];
  readonly cells: readonly (Named & { readonly region: string })[];
  readonly labels: readonly { readonly label: string; readonly variables: object }[];
  readonly hosts: readonly (Named & { readonly region: string; readonly cell: string | null })[];
}

interface Named {
  readonly name: string;
  readonly variables: object;
}

/** The file, which is not part of the project and may be missing. MUSTER_REAL_FLEET names another path. */
export const REAL_FLEET =
  process.env['MUSTER_REAL_FLEET'] ?? resolve(projectDir(), '../shared/data/wikimedia-fleet.json');
const DATABASE = 'real_fleet';
const PROJECT = 'real';

export const hasRealFleet = (): boolean => existsSync(REAL_FLEET);

/** The real fleet in its own database. It is loaded through the API, unless an earlier run has loaded it. */
export async function ensureRealFleet(
  server: BenchServer,
  tested: ServiceUnderTest,
  log: (sentence: string) => void,
): Promise<Inventory> {
  const databaseUrl = server.urlOf(DATABASE);
  const text = readFileSync(REAL_FLEET, 'utf8');
  const fingerprint = createHash('sha256').update(text).update(String(migrations.length)).digest('hex');
  const exists = await withClient(server.urlOf('postgres'), async (client) => {
    const { rowCount } = await client.query(
      `SELECT FROM pg_database WHERE datname = $1 AND shobj_description(oid, 'pg_database') = $2`,
      [DATABASE, fingerprint],
    );
    if (rowCount === 1) return true;
    await client.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${DATABASE}`);
    return false;
  });
  if (!exists) {
    log('loads the real fleet through the API');
    await migrate({ url: databaseUrl });
    await withClient(databaseUrl, (client) => makeProject(client, PROJECT, true));
  }
  const credentials = await withClient(databaseUrl, (client) => adminOf(client, PROJECT));
  const inventory = { databaseUrl, credentials };
  if (!exists) {
    await load(tested, inventory, JSON.parse(text) as FleetFile);
    await withClient(databaseUrl, async (client) => {
      await client.query('VACUUM ANALYZE');
      await client.query(`COMMENT ON DATABASE ${DATABASE} IS '${fingerprint}'`);
    });
  }
  return inventory;
}

async function load(tested: ServiceUnderTest, inventory: Inventory, fleet: FleetFile): Promise<void> {
  const service = await startService({ ...tested, profiles: undefined }, inventory.databaseUrl);
  const headers = headersOf(inventory.credentials);
  const create = async (collection: string, members: object): Promise<number> => {
    const body = JSON.stringify(members);
    const response = await fetch(`${service.url}/v1/${collection}`, { method: 'POST', headers, body });
    if (response.status !== 201) throw new Error(`${collection}: ${await response.text()}`);
    return ((await response.json()) as { id: number }).id;
  };
  try {
    const ids = new Map<string, number>();
    for (const region of fleet.regions) ids.set(region.name, await create('regions', region));
    for (const label of fleet.labels) await create('labels', label);
    for (const { region, ...cell } of fleet.cells) {
      const id = await create('cells', { ...cell, region_id: ids.get(region) });
      ids.set(join(region, cell.name), id);
    }
    const rest = fleet.hosts.values();
    const worker = async () => {
      for (const { region, cell, ...host } of rest)
        await create('hosts', {
          ...host,
          region_id: ids.get(region),
          cell_id: cell === null ? null : ids.get(join(region, cell)),
        });
    };
    await Promise.all(Array.from({ length: 4 }, worker));
  } finally {
    await service.stop();
  }
}
