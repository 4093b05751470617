import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sharedService } from '../support/service';
import { Caller } from '../support/caller';
import { exportLines } from '../support/export-reader';
import { asLines } from '../support/importing';
import { muster, temporaryFolder } from '../support/shell';

const app = sharedService();

/** A way to the service on which the first answer to an import breaks off, when it was done. */
async function breakingFirstImport() {
  let imports = 0;
  const server = createServer((asked, answer) => {
    const { method, url = '', headers } = asked;
    const handed = request(`${app.url}${url}`, { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 500, given.headers);
      if (method === 'POST' && url.startsWith('/v1/import') && ++imports === 1)
        answer.write('{', () => answer.destroy());
      else given.pipe(answer);
    });
    asked.pipe(handed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    imports: () => imports,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const LINES = [
  { kind: 'region', name: 'north' },
  { kind: 'cell', region: 'north', name: 'rack-a' },
];

function fileOf(content: string): string {
  const file = join(temporaryFolder(), 'fleet.ndjson');
  writeFileSync(file, content);
  return file;
}

describe('an answer to an import that breaks off', () => {
  it.each([[], ['--partial', '-o', 'json']])('is found out about %j: all was written', async (...more) => {
    const admin = await app.project();
    const line = await breakingFirstImport();
    try {
      const there = new Caller(line.url, admin.credentials);
      const ended = await muster(there, ['import', fileOf(asLines(LINES)), '--yes', ...more]);
      expect(ended).toMatchObject({ code: 5, stdout: '' });
      expect(ended.stderr).toMatch(
        /muster: The response of the server was truncated\.\nEverything was written \(change \d+\)\.\n$/,
      );
      expect(await exportLines(admin, '?kind=cell')).toHaveLength(1);
    } finally {
      await line.close();
    }
  });

  it('has written nothing where it was tried', async () => {
    const admin = await app.project();
    const line = await breakingFirstImport();
    try {
      const there = new Caller(line.url, admin.credentials);
      const ended = await muster(there, ['import', fileOf(asLines(LINES)), '--dry-run']);
      expect(ended).toEqual({
        code: 5,
        stdout: '',
        stderr: 'muster: The response of the server was truncated.\nNothing was written.\n',
      });
    } finally {
      await line.close();
    }
  });

  it('in batches is got over: the batch is sent again, and done once', async () => {
    const admin = await app.project();
    const line = await breakingFirstImport();
    try {
      const there = new Caller(line.url, admin.credentials);
      const ended = await muster(there, ['import', fileOf(asLines(LINES)), '--yes', '--batch', '1']);
      expect(ended).toEqual({
        code: 0,
        stdout: '2 created, 0 updated, 0 unchanged\n',
        stderr: 'The response of the server was truncated. Retrying.\n',
      });
      expect(line.imports()).toBe(3);
      expect((await admin.get('/v1/changes?kind=region').expect(200)).body).toHaveLength(1);
    } finally {
      await line.close();
    }
  });
});

it('leaves nothing to obey to the terminal where something else answers', async () => {
  const admin = await app.project();
  const server = createServer((asked, answer) => {
    asked.resume().on('end', () => answer.writeHead(503).end('\u001b]0;owned\u0007 not now'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const there = new Caller(
      `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
      admin.credentials,
    );
    const { code, stderr } = await muster(there, ['import', '-', '--yes'], { stdin: asLines(LINES) });
    expect(code).toBe(5);
    expect(stderr).toContain('\\u001b]0;owned\\u0007 not now Checking');
    expect(stderr).not.toContain('\u001b');
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}, 60_000);
