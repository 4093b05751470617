import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Muster } from '../../client/src/api/muster';
import { Importer } from '../../client/src/commands/import/import-client';
import { InterruptHandler } from '../../client/src/commands/long-requests';
import { SourcePositions, type ImportSource, type SourcePiece } from '../../client/src/files/source';

/** Starts a server that rejects a request before it has read the body. */
async function startRejectingServer() {
  const server = createServer((incoming, outgoing) => {
    const body = { error: { code: 'forbidden', message: 'You may not import.' } };
    incoming.once('data', () => {
      outgoing.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const aborted = async ({ signal }: AbortController): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort');
};

/** A source whose second part arrives, or whose end comes, only when the test says so. */
class SlowSource implements ImportSource {
  readonly size = undefined;
  readonly bytesRead = 0;
  readonly positions = new SourcePositions();
  readonly type = 'application/x-ndjson';
  readonly isCsv = false;
  private readonly released = new AbortController();
  private readonly finished = new AbortController();

  constructor(private readonly rest: readonly SourcePiece[]) {}

  async *pieces(): AsyncGenerator<SourcePiece[]> {
    try {
      yield [LINE];
      await aborted(this.released);
      for (const piece of this.rest) yield [piece];
    } finally {
      this.finished.abort();
    }
  }

  /** Goes on, and waits until nobody reads any more. */
  async release(): Promise<void> {
    this.released.abort();
    await aborted(this.finished);
    // What follows the last piece in the same turn.
    await new Promise(setImmediate);
  }

  close(): void {
    this.released.abort();
  }
}

const LINE: SourcePiece = { bytes: Buffer.from('{"kind":"region","name":"north"}\n'), lines: 1 };

it.each([
  ['the end of the source', []],
  ['a further part of the source', [LINE]],
])('a response before %s ends the progress display for good', async (_, rest) => {
  const server = await startRejectingServer();
  const shown: string[] = [];
  const progress = {
    update: () => shown.push('update'),
    wait: () => shown.push('wait'),
    end: () => shown.push('end'),
  };
  const interrupts = new InterruptHandler();
  try {
    const source = new SlowSource(rest);
    const muster = new Muster({ url: server.url, token: 'key' });
    const mode = { dryRun: false, partial: false, byLine: false, maxChangedLines: 0 };
    const importing = new Importer(
      { muster, project: undefined },
      source,
      mode,
      progress,
      interrupts,
    ).importAll();
    await expect(importing).rejects.toMatchObject({ status: 403 });
    await source.release();
    expect(shown).toEqual(['update', 'end']);
  } finally {
    interrupts.dispose();
    await server.close();
  }
});
