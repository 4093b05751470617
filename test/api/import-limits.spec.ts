import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { sharedService } from '../support/service';
import { Caller, type Resource } from '../support/caller';
import { authHeaders } from '../support/http-exchange';
import { asLines, type ImportSummary, sendImport } from '../support/importing';
import { RawConnection, requestText } from '../support/raw-connection';
import { until } from '../support/until';

jest.setTimeout(60_000);

const app = sharedService();
const GZIP = { 'Content-Encoding': 'gzip' };
const region = { kind: 'region', name: 'r1' };
const host = { kind: 'host', name: 'h1', region: 'r1', ip_address: '10.0.0.1', device_type: 'server' };

let caller: Caller;
beforeEach(async () => {
  // Each request has its own connection: an idle one could be closed while a body is made.
  caller = new Caller(app.url, (await app.project()).credentials);
});

interface Rejection extends ImportSummary {
  readonly message: string;
  readonly unchecked: number;
}

const rejected = async (lines: string | Buffer, status: number, query = '', headers = {}) =>
  (await sendImport(caller, lines, query, headers).expect(status)).body as Rejection;

const names = async (): Promise<string[]> =>
  ((await caller.get('/v1/hosts').expect(200)).body as Resource[]).map(({ name }) => name);

describe('an import that cannot succeed', () => {
  it('stops at its first 1000 invalid lines, and names what it has checked until then', async () => {
    const body = await rejected(gzipSync(asLines([region, host]) + '{}\n'.repeat(300_000)), 400, '', GZIP);
    expect(body).toMatchObject({ created: 0, failed: 1_000 });
    expect(body.errors).toHaveLength(1_000);
    expect(body.errors.at(-1)).toMatchObject({ line: 1_002 });
    expect(body.message).toContain('The import stopped at 1000 faulty lines');
    // The lines that were received with the last of them, not those of the rest of the body.
    expect(body.unchecked).toBeGreaterThanOrEqual(2);
    expect(body.unchecked).toBeLessThan(100_000);
  });

  it('responds before the body ends, also if its client goes on sending', async () => {
    const connection = await RawConnection.to(app.url);
    const headers = { ...authHeaders(caller.credentials), 'Content-Type': 'application/x-ndjson' };
    const length = 100_000_000;
    const begun = '{}\n'.repeat(200_000);
    connection.write(
      requestText('POST', '/v1/import', { ...headers, 'Content-Length': String(length) }, begun),
    );
    await until('the import is rejected', 30, () => Promise.resolve(connection.answers.length === 1));
    expect(connection.answers[0]?.status).toBe(400);
    connection.write(begun);
    connection.cut();
  });

  it('stops at its first 1000 lines that conflict with the inventory', async () => {
    const lines = Array.from({ length: 3_000 }, (_, n) => ({
      ...host,
      name: `h${String(n)}`,
      region: 'none',
    }));
    const body = await rejected(asLines(lines), 405);
    expect(body.failed).toBeGreaterThanOrEqual(1_000);
    // Whole batches are checked.
    expect(body.failed).toBeLessThan(2_000);
    expect(body.unchecked).toBe(3_000 - body.failed);
    expect(body.message).toContain('The import stopped at');
  });
});

describe('an import with mode=partial', () => {
  it('has 100,000 invalid lines at most', async () => {
    const body = await rejected(gzipSync('{}\n'.repeat(100_001)), 400, '?mode=partial', GZIP);
    expect(body).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('More than 100000 lines are invalid'),
      created: 0,
    });
    const lines = asLines([...Array.from({ length: 2_000 }, () => ({})), region, host]);
    const { body: summary } = await sendImport(caller, lines, '?mode=partial').expect(200);
    expect(summary).toMatchObject({ created: 2, failed: 2_000 });
    expect(await names()).toEqual(['h1']);
  });

  it('looks up what its first 1000 invalid lines name', async () => {
    const lines = Array.from({ length: 1_001 }, (_, n) => ({ ...host, name: `h${String(n)}`, note: 7 }));
    const { text } = await sendImport(caller, asLines(lines), '?mode=partial', {
      Accept: 'application/x-ndjson',
    }).expect(200);
    const isLookedUp = text.split('\n').map((line) => line.includes('; region: there is no region'));
    expect(isLookedUp.slice(0, 1_001)).toEqual([...Array<boolean>(1_000).fill(true), false]);
  });
});

describe('the body of an import', () => {
  it('is not more than 200 times larger than what was received', async () => {
    const blank = Buffer.alloc(20 * 1024 * 1024, `${' '.repeat(1_000)}\n`);
    const message = expect.stringContaining('more than 200 times as large as the received one') as string;
    expect(await rejected(gzipSync(blank), 413, '', GZIP)).toMatchObject({
      code: 'payload_too_large',
      message,
    });
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
    const body = await rejected(brotliCompressSync(blank, quality), 413, '', { 'Content-Encoding': 'br' });
    expect(body).toMatchObject({ message });
    // Without compression, and with a ratio like that of an inventory, it is accepted.
    await sendImport(caller, blank).expect(200);
    const smaller = gzipSync(blank, { strategy: constants.Z_HUFFMAN_ONLY });
    expect(blank.length / smaller.length).toBeGreaterThan(5);
    await sendImport(caller, smaller, '', GZIP).expect(200);
  });

  it('has 4,000,000 lines at most, and a table 100,000 empty ones', async () => {
    const body = await rejected(gzipSync('\n'.repeat(4_000_001)), 413, '', GZIP);
    expect(body.message).toContain('more than 4000000 lines');
    const table = gzipSync(`name,region\n${'\n'.repeat(100_001)}a,b\n`);
    const { message } = await rejected(table, 400, '', { ...GZIP, 'Content-Type': 'text/csv' });
    expect(message).toContain('has more than 100000 empty lines');
  });
});
