import { rmSync } from 'node:fs';
import { dropTemplate } from './test-database';

/** Stops what global-setup.ts has started. */
export default async function globalTeardown(): Promise<void> {
  try {
    await globalThis.testBrowser?.close();
  } finally {
    await stopService();
  }
}

async function stopService(): Promise<void> {
  globalThis.testClientRunner?.disconnect();
  await globalThis.testPeer?.exit();
  await globalThis.testService?.stop();
  const server = globalThis.testServer;
  if (!server) return dropTemplate();
  await server.postgres.stop();
  rmSync(server.folder, { recursive: true, force: true });
}
