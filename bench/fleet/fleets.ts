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

/** A project to measure: credentials, and sample values for requests. */
export interface BenchProject {
  /** The credentials of its admin, who is not root. */
  readonly credentials: Credentials;
  readonly devices: number;
  readonly samples: Samples;
}

/** A fleet in its own database, together with a small project. */
export interface Fleet extends BenchProject {
  /** For DATABASE_URL. */
  readonly databaseUrl: string;
  readonly small: BenchProject;
  /** The root user, who can read both projects. */
  readonly root: Credentials;
}

/** The server that stores the fleets. */
interface FleetServer {
  /** The URL of a database on it, for its superuser. */
  urlOf(database: string): string;
}

/**
 * Creates a fleet, unless an earlier run has created one with the same fingerprint, and looks up its sample values.
 * @param log reports slow steps
 */
export async function ensureFleet(
  server: FleetServer,
  devices: number,
  log: (sentence: string) => void = () => undefined,
): Promise<Fleet> {
  const database = `fleet_${devices}`;
  if ((await fingerprintOf(server, database)) !== fingerprint()) await make(server, database, devices, log);
  const databaseUrl = server.urlOf(database);
  return withClient(databaseUrl, async (client) => ({
    ...(await describeFleet(client, devices)),
    databaseUrl,
  }));
}

const FLEET = 'fleet';
const SMALL_PROJECT = 'small';

async function make(server: FleetServer, database: string, devices: number, log: (sentence: string) => void) {
  log(`makes ${database}`);
  await withClient(server.urlOf('postgres'), async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
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
      log,
    );
    // Set last, so that an interrupted creation has no fingerprint.
    await client.query(`COMMENT ON DATABASE ${database} IS '${fingerprint()}'`);
    await client.query('CHECKPOINT');
  });
}

async function describeFleet(client: Client, devices: number): Promise<Omit<Fleet, 'databaseUrl'>> {
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

/** The fingerprint of a database; undefined if the database is missing or incomplete. */
async function fingerprintOf(server: FleetServer, database: string): Promise<string | undefined> {
  return withClient(server.urlOf('postgres'), async (client) => {
    const { rows } = await client.query<{ comment: string | null }>(
      `SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = $1`,
      [database],
    );
    return rows[0]?.comment ?? undefined;
  });
}

/** A hash of the sources that determine a fleet: the migrations and the loader. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const folder of ['src/migrations', 'bench/fleet'].map((name) => join(projectDir(), name)))
    for (const file of readdirSync(folder).sort())
      if (!READ_ONLY.has(file)) hash.update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

/** Files that only read an existing fleet. */
const READ_ONLY = new Set(['fleets.ts', 'samples.ts']);
