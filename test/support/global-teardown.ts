import { rmSync } from 'node:fs';
import { dropTemplate } from './test-database';

/** Ends what global-setup.ts has started. */
export default async function globalTeardown(): Promise<void> {
  globalThis.forgetPrograms?.();
  const server = globalThis.testServer;
  if (!server) return dropTemplate();
  await server.postgres.stop();
  rmSync(server.folder, { recursive: true, force: true });
}
