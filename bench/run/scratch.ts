import type { Fleet } from '../fleet/fleets';
import { withClient, type BenchServer } from './database';

const SCRATCH = 'scratch';

/** A copy of a fleet to write to: the fleet itself stays as it is for the next run. Nobody may be connected to it. */
export async function copyFleet(server: BenchServer, fleet: Fleet): Promise<Fleet> {
  const original = new URL(fleet.databaseUrl).pathname.slice(1);
  await dropCopy(server);
  await withClient(server.urlOf('postgres'), (client) =>
    client.query(
      `CREATE DATABASE ${SCRATCH} TEMPLATE ${client.escapeIdentifier(original)} STRATEGY FILE_COPY`,
    ),
  );
  return { ...fleet, databaseUrl: server.urlOf(SCRATCH) };
}

export async function dropCopy(server: BenchServer): Promise<void> {
  await withClient(server.urlOf('postgres'), (client) =>
    client.query(`DROP DATABASE IF EXISTS ${SCRATCH} WITH (FORCE)`),
  );
}
