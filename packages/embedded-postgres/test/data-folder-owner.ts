// A program that runs an embedded database, as a service or a command does. It prints events as lines of
// JSON, and stops cleanly on SIGINT and SIGTERM, or at once without `hold`.
import { EmbeddedPostgresError, startEmbeddedPostgres, type EmbeddedOptions } from '../src';

const { hold, ...options } = JSON.parse(process.argv[2] ?? '') as EmbeddedOptions & { hold: boolean };

function printEvent(event: object): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

async function main(): Promise<void> {
  const database = await startEmbeddedPostgres({
    ...options,
    onExit: (sentence) => printEvent({ event: 'exit', sentence }),
  });
  const signal = new Promise((settle) => process.once('SIGINT', settle).once('SIGTERM', settle));
  printEvent({ event: 'ready', host: database.host });
  if (hold) {
    const keepAlive = setInterval(() => undefined, 60_000);
    await signal;
    clearInterval(keepAlive);
    printEvent({ event: 'stopping' });
  }
  await Promise.all([database.stop(), database.stop()]);
  printEvent({ event: 'stopped' });
  // No process.exit: the process exits by itself only if the launcher leaves nothing open.
}

main().catch((error: unknown) => {
  if (!(error instanceof EmbeddedPostgresError)) throw error;
  printEvent({ event: 'refused', message: error.message });
  process.exitCode = 1;
});
