import type { Fleet } from '../fleet/fleets';
import { withClient, type BenchServer } from './database';

const SCRATCH = 'scratch';

/** A writable copy of a fleet, which itself stays unchanged for the next run. The fleet must have no connections. */
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
