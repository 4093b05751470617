import express from 'express';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';
import { Replay } from './replay';
import { isMarker } from './script';

/**
 * The floor: the cost of PostgreSQL and Node without Muster. It runs as a separate process with the argument `http` or
 * `express`, and has the service's DATABASE_URL and DATABASE_POOL_SIZE.
 *
 * A read runs one prepared statement, which returns the stored response in pieces (one for each item of a list). A
 * write replays the recorded statements of the service, in one transaction.
 */
const pool = new Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['DATABASE_POOL_SIZE']),
});

async function read(path: string): Promise<string> {
  const { rows } = await pool.query<{ body: string }>({
    name: 'answer',
    text: 'SELECT body FROM bench_floor.answers WHERE path = $1 ORDER BY ordinal',
    values: [path],
  });
  let body = '';
  for (const row of rows) body += row.body;
  return body;
}

const bare: RequestListener = (request, response) => {
  read(request.url ?? '').then(
    (text) => {
      // Encoded once, for its length and for sending, which is the cheapest way.
      const body = Buffer.from(text);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    },
    (error: unknown) => {
      response.writeHead(500).end(String(error));
    },
  );
};

function onExpress(): RequestListener {
  const app = express();
  app.get('/{*path}', async (request, response) => {
    const body = await read(request.originalUrl);
    response.type('json').send(body);
  });
  const replay = new Replay(pool);
  app.use(express.json());
  app.all('/{*path}', async (request, response) => {
    const members = Object.values(request.body as Record<string, unknown>);
    const { status, body } = await replay.play(
      `${request.method} ${request.originalUrl}`,
      members.find(isMarker) ?? '',
    );
    response.status(status).type('json').send(body);
  });
  return app;
}

const server = createServer(process.argv[2] === 'express' ? onExpress() : bare);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stderr.write(`serving on http://127.0.0.1:${String(port)}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void pool.end();
});
