import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/shared/persistence/embedded/embedded-postgres';
import { livePostmaster } from '../../src/shared/persistence/embedded/postmaster-pid';
import { processIdentity } from '../../src/shared/persistence/embedded/processes';
import { migrate } from '../../src/shared/persistence/migrate';
import globalTeardown from './global-teardown';
import { keepPrograms } from './programs';
import { createTemplate } from './test-database';

declare global {
  /** What global-teardown.ts has to end. */
  var testServer: { readonly postgres: EmbeddedPostgres; readonly folder: string } | undefined;
  /** So is this what `keepPrograms` gave. */
  var forgetPrograms: (() => void) | undefined;
}

/**
 * Starts one PostgreSQL for all tests and migrates the database that they are cloned from. TEST_DATABASE_URL
 * names another server to use; its user must be allowed to create databases.
 */
export default async function globalSetup(): Promise<void> {
  globalThis.forgetPrograms = keepPrograms();
  if (process.env.TEST_DATABASE_URL === undefined) {
    removeForgottenFolders();
    const folder = mkdtempSync(join(tmpdir(), `muster-test-${process.pid}-`));
    const postgres = await startEmbeddedPostgres({
      dataDir: folder,
      role: 'service',
      durable: false,
      // Every Jest worker has a few services, each with a pool.
      settings: { max_connections: '300' },
    });
    globalThis.testServer = { postgres, folder };
    process.env.TEST_PG_HOST = postgres.host;
    process.env.TEST_PG_USER = postgres.user;
  } else {
    process.env.TEST_PG_TEMPLATE = `muster_template_${process.pid}`;
  }
  try {
    await createTemplate(migrate);
  } catch (error) {
    // Jest does not tear down what failed to set up.
    await globalTeardown();
    throw error;
  }
}

/** A run that was killed leaves its folder; its watchdog has ended the server, or is about to. */
function removeForgottenFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = /^muster-test-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || processIdentity(Number(pid)) !== undefined) continue;
    const folder = join(tmpdir(), name);
    if (!isOurs(folder) || livePostmaster(join(folder, 'postgres')) !== undefined) continue;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Another user's are that user's to remove. Another run of ours may remove one while we look. */
function isOurs(folder: string): boolean {
  const uid = process.getuid?.();
  return uid === 0 || statSync(folder, { throwIfNoEntry: false })?.uid === uid;
}
