// A program that holds an embedded database, as the service and the admin command do. It says what happens to it
// in lines of JSON, and stops cleanly on SIGINT and SIGTERM, or by itself if it is told not to hold.
import {
  startEmbeddedPostgres,
  type EmbeddedOptions,
} from '../../../src/database/embedded/embedded-postgres';
import { StartupError } from '../../../src/core/errors/startup-error';

const { hold, ...options } = JSON.parse(process.argv[2] ?? '') as EmbeddedOptions & { hold: boolean };

function say(event: object): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

async function main(): Promise<void> {
  const database = await startEmbeddedPostgres({
    ...options,
    onExit: (sentence) => say({ event: 'exit', sentence }),
  });
  const signal = new Promise((settle) => process.once('SIGINT', settle).once('SIGTERM', settle));
  say({ event: 'ready', host: database.host });
  if (hold) {
    const keepAlive = setInterval(() => undefined, 60_000);
    await signal;
    clearInterval(keepAlive);
    say({ event: 'stopping' });
  }
  await Promise.all([database.stop(), database.stop()]);
  say({ event: 'stopped' });
  // No process.exit: that the process ends by itself shows that nothing of the launcher lingers in it.
}

main().catch((error: unknown) => {
  if (!(error instanceof StartupError)) throw error;
  say({ event: 'refused', message: error.message });
  process.exitCode = 1;
});
