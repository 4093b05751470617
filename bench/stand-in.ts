import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectDir } from '../src/shared/persistence/connection';
import { ensureDatabase, withClient, type BenchServer } from './run/database';
import type { Credentials } from './run/service';

export interface Fleet {
  readonly size: number;
  readonly databaseUrl: string;
  readonly credentials: Credentials;
}

export async function ensureFleet(server: BenchServer, size: number): Promise<Fleet> {
  const name = `standin_${String(size)}`;
  const made = await ensureDatabase(server, name);
  const databaseUrl = server.urlOf(name);
  if (made) {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [join(projectDir(), 'dist/src/cli.js'), 'bootstrap', '--json'],
      { env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl }, encoding: 'utf8' },
    );
    console.error(stderr);
    const made = JSON.parse(stdout) as { project: string; username: string; api_key: string };
    await withClient(databaseUrl, async (client) => {
      await client.query('CREATE TABLE standin (credentials jsonb)');
      await client.query('INSERT INTO standin VALUES ($1)', [
        JSON.stringify({ project: made.project, user: made.username, token: made.api_key }),
      ]);
      const p = made.project;
      await client.query(
        `INSERT INTO regions (project_id, name, variables) SELECT $1, 'region-' || n,
          jsonb_build_object('ntp', jsonb_build_array('10.0.0.' || n), 'domain', 'r' || n || '.example.net', 'tier', n % 3)
         FROM generate_series(1, 50) n`,
        [p],
      );
      await client.query(
        `INSERT INTO cells (project_id, region_id, name, variables) SELECT $1, r.id, 'cell-' || n,
          jsonb_build_object('rack', n, 'feed', n % 2)
         FROM regions r, generate_series(1, 20) n WHERE r.project_id = $1`,
        [p],
      );
      await client.query(
        `INSERT INTO labels (project_id, label, variables) SELECT $1, 'label-' || n, jsonb_build_object('role', n)
         FROM generate_series(1, 200) n`,
        [p],
      );
      await client.query(
        `INSERT INTO devices (project_id, kind, name, region_id, cell_id, ip_address, device_type, variables)
         SELECT $1, 'host', 'host-' || n, c.region_id, c.id, '10.0.0.0'::inet + n, 'server',
           jsonb_build_object('serial', 'S' || n, 'asset', n, 'os', 'debian-' || n % 5, 'kernel', '6.' || n % 9,
             'owner', 'team-' || n % 17, 'a', n, 'b', n, 'c', n, 'd', n, 'e', n)
         FROM (SELECT id, region_id, row_number() OVER () AS rn FROM cells WHERE project_id = $1) c,
           generate_series(1, $2::integer) n WHERE c.rn = n % 1000 + 1`,
        [p, size],
      );
      await client.query(
        `INSERT INTO device_labels (project_id, device_id, label_id)
         SELECT $1, d.id, l.id FROM devices d, labels l
         WHERE l.project_id = $1 AND l.id % 200 IN (d.id % 200, (d.id + 57) % 200)`,
        [p],
      );
      await client.query('VACUUM ANALYZE');
    });
  }
  const credentials = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ credentials: Credentials }>('SELECT credentials FROM standin');
    if (!rows[0]) throw new Error('no credentials');
    return rows[0].credentials;
  });
  return { size, databaseUrl, credentials };
}
