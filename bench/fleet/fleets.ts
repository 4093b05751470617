import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { projectDir } from '../../src/database/connection/connection';
import { migrate } from '../../src/database/migrate';
import { withClient } from '../run/database';
import type { Credentials } from '../run/service';
import { adminOf, makeProject, rootOf } from './accounts';
import { fleetDimensions, SMALL, type Dimensions } from './dimensions';
import { loadProjects } from './load';
import { samplesOf, type Samples } from './samples';

/** A project to measure: who asks, and what for. */
export interface BenchProject {
  /** Of its admin, who is not root. */
  readonly credentials: Credentials;
  readonly devices: number;
  readonly samples: Samples;
}

/** A fleet, in a database of its own, with a small project beside it. */
export interface Fleet extends BenchProject {
  /** For DATABASE_URL. */
  readonly databaseUrl: string;
  readonly small: BenchProject;
  /** Sees both projects. */
  readonly root: Credentials;
}

/** The server that the fleets are kept on. */
interface FleetServer {
  /** The URL of a database on it, for its superuser. */
  urlOf(database: string): string;
}

/**
 * Makes a fleet of so many devices, unless it is there from an earlier run and still what this program would make, and
 * looks up what to ask it for.
 * @param say told, in a few words, what takes long
 */
export async function ensureFleet(
  server: FleetServer,
  devices: number,
  say: (sentence: string) => void = () => undefined,
): Promise<Fleet> {
  const database = `fleet_${devices}`;
  if ((await madeBy(server, database)) !== fingerprint()) await make(server, database, devices, say);
  const databaseUrl = server.urlOf(database);
  return withClient(databaseUrl, async (client) => ({ ...(await found(client, devices)), databaseUrl }));
}

const FLEET = 'fleet';
const SMALL_PROJECT = 'small';

async function make(server: FleetServer, database: string, devices: number, say: (sentence: string) => void) {
  say(`makes ${database}`);
  await withClient(server.urlOf('postgres'), async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${database}`);
    await client.query(`CREATE DATABASE ${database}`);
  });
  const url = server.urlOf(database);
  await migrate({ url });
  await withClient(url, async (client) => {
    const fleet = await makeProject(client, FLEET, true);
    const small = await makeProject(client, SMALL_PROJECT, false);
    await loadProjects(
      client,
      [
        { id: fleet, dimensions: fleetDimensions(devices) },
        { id: small, dimensions: SMALL },
      ],
      say,
    );
    // The last thing that is done: a fleet without it is one that was cut off.
    await client.query(`COMMENT ON DATABASE ${database} IS '${fingerprint()}'`);
    await client.query('CHECKPOINT');
  });
}

async function found(client: Client, devices: number): Promise<Omit<Fleet, 'databaseUrl'>> {
  const project = async (name: string, dimensions: Dimensions): Promise<BenchProject> => {
    const credentials = await adminOf(client, name);
    const samples = await samplesOf(client, credentials.project, dimensions);
    return { credentials, devices: dimensions.devices, samples };
  };
  return {
    ...(await project(FLEET, fleetDimensions(devices))),
    small: await project(SMALL_PROJECT, SMALL),
    root: await rootOf(client, FLEET),
  };
}

/** What made a database: undefined if there is none, or none that was finished. */
async function madeBy(server: FleetServer, database: string): Promise<string | undefined> {
  return withClient(server.urlOf('postgres'), async (client) => {
    const { rows } = await client.query<{ comment: string | null }>(
      `SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = $1`,
      [database],
    );
    return rows[0]?.comment ?? undefined;
  });
}

/** Of all that decides how a fleet looks: the migrations, and what loads it. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const folder of ['src/migrations', 'bench/fleet'].map((name) => join(projectDir(), name)))
    for (const file of readdirSync(folder).sort())
      if (!UNCONCERNED.has(file)) hash.update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

/** What looks at a fleet that is there. */
const UNCONCERNED = new Set(['fleets.ts', 'samples.ts']);
