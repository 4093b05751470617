import { withClient } from '../run/database';
import type { BenchRequest } from '../run/load';
import { headersOf, startService, type Credentials, type ServiceUnderTest } from '../run/service';
import { scriptOf, type Recording, type Script } from './script';
import { openWire, type SentStatement, type Wire } from './wire';

/** The request of a write, with a marker that differs each time. */
export type Write = (marker: string) => BenchRequest;

/** Scripts by method and path. */
export type Scripts = ReadonlyMap<string, Script>;

/**
 * Records the SQL statements of each of these writes, and stores them for the floor, which replays them. So the floor
 * always runs the current statements of the service.
 */
export async function recordScripts(
  tested: ServiceUnderTest,
  databaseUrl: string,
  credentials: Credentials,
  writes: readonly Write[],
  nextMarker: () => string,
): Promise<void> {
  const url = new URL(databaseUrl);
  const { host, port } = Object.fromEntries(url.searchParams);
  if (host === undefined || port === undefined) throw new Error('the benchmark’s database has a socket');
  const wire = await openWire({ host, port });
  const throughWire = `postgresql://${url.username}@127.0.0.1:${String(wire.port)}${url.pathname}`;
  const service = await startService({ ...tested, profiles: undefined }, throughWire);
  try {
    const send = async (write: Write, marker: string) => {
      const { method = 'GET', path, body } = write(marker);
      const response = await fetch(service.url + path, {
        method,
        headers: headersOf(credentials),
        body: body ?? null,
      });
      const answer = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${String(response.status)} ${answer}`);
      return { status: response.status, answer };
    };
    const record = async (write: Write): Promise<Recording> => {
      const marker = nextMarker();
      wire.reset();
      const outcome = await send(write, marker);
      return { ...outcome, marker, statements: transactionIn(wire) };
    };
    const scripts = new Map<string, Script>();
    for (const write of writes) {
      // Warm-up: the first write also looks up the caller and may insert new rows.
      await send(write, nextMarker());
      const { method = 'GET', path } = write('');
      scripts.set(`${method} ${path}`, scriptOf(await record(write), await record(write)));
    }
    await storeScripts(databaseUrl, scripts);
  } finally {
    await service.stop();
    await wire.close();
  }
}

/** The statements of the only transaction. */
function transactionIn(wire: Wire): readonly SentStatement[] {
  const isBegin = ({ text }: SentStatement) => /^(START TRANSACTION|BEGIN)/.test(text);
  const [found, ...more] = wire.statements().filter((statements) => statements.some(isBegin));
  if (!found || more.length > 0) throw new Error('a write was not one transaction');
  const end = found.findIndex(({ text }) => text.startsWith('COMMIT'));
  return found.slice(found.findIndex(isBegin), end + 1);
}

function storeScripts(databaseUrl: string, scripts: Scripts): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    await client.query('CREATE SCHEMA IF NOT EXISTS bench_floor');
    await client.query(
      'CREATE TABLE IF NOT EXISTS bench_floor.scripts (request text PRIMARY KEY, script jsonb NOT NULL)',
    );
    for (const [request, script] of scripts)
      await client.query(
        `INSERT INTO bench_floor.scripts VALUES ($1, $2)
         ON CONFLICT (request) DO UPDATE SET script = excluded.script`,
        [request, JSON.stringify(script)],
      );
  });
}
