import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NetworkError } from '@muster/api-types';

describe('the lines of a response', () => {
  let server: Server;

  beforeAll(async () => {
    server = createServer((request, response) => {
      response.write('first\nsecond\nthi', () => {
        if (request.url === '/v1/lost') response.destroy();
        else response.end('rd');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
    Object.assign(globalThis, { document: { baseURI: url }, location: { href: url } });
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const read = async (path: string, lines: string[], max = Infinity) => {
    const { readLines } = await import('../src/api/request');
    for await (const line of readLines({ method: 'GET', path }, new AbortController().signal)) {
      lines.push(line);
      if (lines.length === max) return;
    }
  };

  it.each([
    [Infinity, ['first', 'second', 'third']],
    [1, ['first']],
  ])('are read one after the other, at most %p', async (max, expected) => {
    const lines: string[] = [];
    await read('/v1/all', lines, max);
    expect(lines).toEqual(expected);
  });

  it('end with the error of the connection if it is lost', async () => {
    const lines: string[] = [];
    await expect(read('/v1/lost', lines)).rejects.toBeInstanceOf(NetworkError);
    expect(lines).toEqual(['first', 'second']);
  });
});
