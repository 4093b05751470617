// `node scripts/measure-staging.mjs [lines]`: compares staging the lines of an import in a file with staging them in a
// table by COPY, in turns. See docs/adr/0026-staging-imports.md. Needs a build; starts an embedded PostgreSQL of its own.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { startEmbeddedPostgres } from '@muster/embedded-postgres';
import pg from 'pg';
import copyStreams from 'pg-copy-streams';
import { fileOf } from './lib/project.mjs';

const LINES = Number(process.argv[2] ?? 100_000);
const ROUNDS = 5;
const BATCH = 500;

const { LineFile } = await import(fileOf('dist/src/bulk/import/line-file.js'));

const textOf = (line) =>
  JSON.stringify({
    kind: 'host',
    name: `host-${line}`,
    region: 'eqiad',
    ip_address: '10.0.0.1',
    device_type: 'server',
    variables: { rack: line % 40, serial: `S${line}`, owner: 'operations' },
  });

async function stageInFile(folder, round) {
  const file = await LineFile.create(join(folder, `lines-${round}`));
  for (let line = 1; line <= LINES; line++) await file.add(line, textOf(line));
  await file.flush();
  let read = 0;
  for await (const entries of file.entries()) read += entries.length;
  await file.close();
  return read;
}

/** An unlogged table costs no WAL: the best case for the database. */
async function stageInTable(client) {
  await client.query('CREATE UNLOGGED TABLE staged (line int PRIMARY KEY, text text NOT NULL)');
  const rows = function* () {
    for (let line = 1; line <= LINES; line++) yield `${line}\t${textOf(line).replaceAll('\\', '\\\\')}\n`;
  };
  await pipeline(Readable.from(rows()), client.query(copyStreams.from('COPY staged FROM STDIN')));
  let read = 0;
  for (let first = 1; first <= LINES; first += BATCH) {
    const statement = { name: 'batch', text: 'SELECT line, text FROM staged WHERE line >= $1 AND line < $2' };
    read += (await client.query({ ...statement, values: [first, first + BATCH] })).rows.length;
  }
  await client.query('DROP TABLE staged');
  return read;
}

const folder = mkdtempSync(join(tmpdir(), 'muster-staging-'));
// PostgreSQL runs as another user if this process runs as root.
chmodSync(folder, 0o755);
const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), role: 'service' });
try {
  const client = new pg.Client({ host: server.host, user: server.user, database: 'postgres' });
  await client.connect();
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, stage] of [
      ['file', () => stageInFile(folder, round)],
      ['table', () => stageInTable(client)],
    ]) {
      const startedAt = performance.now();
      const read = await stage();
      if (read !== LINES) throw new Error(`${name}: read ${read} of ${LINES} lines`);
      console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(2)} s for ${LINES} lines`);
    }
  }
  await client.end();
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
