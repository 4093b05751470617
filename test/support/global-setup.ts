import { spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  processIdentity,
  runningPostmaster,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '@muster/embedded-postgres';
import { startClientRunner } from './command-runner';
import globalTeardown from './global-teardown';
import { PEER_SETTINGS, startService, type OwnService, type SharedService } from './service';
import { createTemplate } from './test-database';

declare global {
  /** What global-teardown.ts has to stop. */
  var testServer: { readonly postgres: EmbeddedPostgres; readonly folder: string } | undefined;
  var testService: OwnService | undefined;
  var testPeer: OwnService | undefined;
  var testClientRunner: ChildProcess | undefined;
}

/** Most tests share these services. With a larger young generation, they take about a tenth less CPU time. */
const LONG_RUNNING = { NODE_OPTIONS: '--max-semi-space-size=64' };

/**
 * Runs once before the test files that need a database: starts one PostgreSQL, migrates the template database, and starts
 * the service, the peer and the runner of `muster` that they share. TEST_DATABASE_URL names another PostgreSQL, whose user must be allowed to create databases.
 */
export default async function globalSetup(): Promise<void> {
  // Tiers have different set-ups, which all begin with this one.
  if (globalThis.testService) return;
  if (process.env.TEST_DATABASE_URL === undefined) {
    removeStaleFolders();
    const folder = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), `muster-test-${process.pid}-`));
    const postgres = await startEmbeddedPostgres({
      dataDir: folder,
      role: 'service',
      durable: false,
      // Every Jest worker may start several services, each with a pool.
      // The shared database grows fast from empty: plans need fresh statistics, but not for each fiftieth new row.
      settings: {
        max_connections: '300',
        autovacuum_naptime: '5s',
        autovacuum_vacuum_cost_delay: '0',
        autovacuum_analyze_scale_factor: '0.2',
      },
    });
    globalThis.testServer = { postgres, folder };
    process.env.TEST_PG_HOST = postgres.host;
    process.env.TEST_PG_USER = postgres.user;
  } else {
    process.env.TEST_PG_TEMPLATE = `muster_template_${process.pid}`;
  }
  try {
    await createTemplate();
    const service = await startService(LONG_RUNNING);
    globalThis.testService = service;
    const peer = await service.startPeer({ ...PEER_SETTINGS, ...LONG_RUNNING });
    globalThis.testPeer = peer;
    const { process: runner, url: runnerUrl } = await startClientRunner();
    globalThis.testClientRunner = runner;
    process.env.TEST_CLIENT_RUNNER = runnerUrl;
    const { url, databaseUrl, root } = service;
    const shared: SharedService = { url, peerUrl: peer.url, credentials: root.credentials, databaseUrl };
    process.env.TEST_SERVICE = JSON.stringify(shared);
  } catch (error) {
    // Jest does not run the teardown after a failed setup.
    await globalTeardown();
    throw error;
  }
}

/** The file system in memory that Linux has. */
const MEMORY = '/dev/shm';
/** Ten times what the files took when they were measured, in the middle of two runs: 0.4 GB. The largest need was not measured. */
const MIN_FREE_BYTES = 4 * 2 ** 30;

/**
 * Whether the files of PostgreSQL can be in memory. Tests create and drop hundreds of databases, each with 300 files: ext4 looks for
 * inodes among all that were removed within the last seconds. A container has 64 MB unless it is started with more.
 */
function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, freemem()) >= MIN_FREE_BYTES;
}

/** Removes the folders of killed runs, whose watchdogs stop their servers. One that cannot be removed concerns no test. */
function removeStaleFolders(): void {
  for (const parent of [tmpdir(), ...(existsSync(MEMORY) ? [MEMORY] : [])]) removeStaleFoldersIn(parent);
}

function removeStaleFoldersIn(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^muster-test-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || processIdentity(Number(pid)) !== undefined) continue;
    const folder = join(parent, name);
    if (!isOwn(folder) || runningPostmaster(join(folder, 'postgres')) !== undefined) continue;
    try {
      removeStaleFolder(folder);
    } catch (error) {
      console.warn(`A folder of an earlier run cannot be removed: ${String(error)}`);
    }
  }
}

/** Removes a folder. A test that needs a small disk mounts a file system at its folder, which outlives a killed run. */
function removeStaleFolder(folder: string): void {
  const { dev } = statSync(folder);
  if (dev !== statSync(dirname(folder)).dev) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
}

/** Whether this user may remove the folder. A concurrent run may remove it, too. */
function isOwn(folder: string): boolean {
  const uid = process.getuid?.();
  return uid === 0 || statSync(folder, { throwIfNoEntry: false })?.uid === uid;
}
