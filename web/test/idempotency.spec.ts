import { ApiError, NetworkError } from '@muster/api-types';
import { earlierAttempt, sendOnce } from '../src/api/idempotency';

const KEY = 'Idempotency-Key';
const lost = new NetworkError('The service cannot be reached.', true);
const rejected = (status: number, field = 'name') =>
  new ApiError(status, 'code', 'message', [{ field, message: 'message' }], 'r-1', undefined, status === 502);

describe('the key of a write', () => {
  /** The keys with which requests were sent. */
  let keys: (string | undefined)[];
  let number = 0;
  /** A write that no other test sends. */
  const aWrite = () => ({
    method: 'POST',
    path: `/v1/users/${String(number++)}`,
    body: '{"username":"operator"}',
  });
  type Write = ReturnType<typeof aWrite> & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, unknown>>;
  };

  /** Sends a write. @param error what the response is; undefined: it succeeds */
  const send = (write: Write, error?: Error) =>
    sendOnce(write, (headers) => {
      keys.push(headers[KEY]);
      return error && headers[KEY] !== undefined ? Promise.reject(error) : Promise.resolve('done');
    });
  const fail = (write: Write, error: Error) => expect(send(write, error)).rejects.toBe(error);

  beforeEach(() => {
    keys = [];
  });

  it.each([
    ['the connection was lost', lost],
    ['a proxy has lost it', rejected(502)],
  ])('is the same when it is sent again, because %s', async (_, error) => {
    const write = aWrite();
    await fail(write, error);
    expect(earlierAttempt(write)).toBe('same');
    // The reason is no part of it.
    const again = { ...write, headers: { 'X-Change-Reason': 'CHG-1' } };
    expect(await send(again)).toBe('done');
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
    expect(earlierAttempt(write)).toBeUndefined();
    await send(write);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it.each([
    ['its key has expired', rejected(401)],
    ['a role is missing for now', rejected(403)],
    ['there are too many requests', rejected(429)],
    ['the service is busy', rejected(503)],
    ['the session has another project', rejected(409, 'X-Auth-Project')],
    ['the network is gone', new NetworkError('The service cannot be reached.', false)],
  ])('stays the same while rejections say nothing about an earlier attempt: %s', async (_, error) => {
    const write = aWrite();
    await fail(write, lost);
    await fail(write, error);
    expect(earlierAttempt(write)).toBe('same');
    expect(await send(write)).toBe('done');
    expect(new Set(keys).size).toBe(1);
  });

  it.each([404, 409, 412])('is a new one after a rejection that has looked at it: %d', async (status) => {
    const write = aWrite();
    await fail(write, lost);
    await fail(write, rejected(status));
    expect(earlierAttempt(write)).toBeUndefined();
    await send(write);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('is forgotten after 15 minutes: others may have undone the write', async () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(0);
    try {
      const write = aWrite();
      await fail(write, lost);
      now.mockReturnValue(14 * 60_000);
      await fail(write, lost);
      now.mockReturnValue(29 * 60_000);
      expect(earlierAttempt(write)).toBe('same');
      now.mockReturnValue(30 * 60_000);
      expect(earlierAttempt(write)).toBeUndefined();
      await send(write);
      expect(keys[1]).toBe(keys[0]);
      expect(keys[2]).not.toBe(keys[0]);
    } finally {
      now.mockRestore();
    }
  });

  it.each([
    ['another content', { body: '{"username":"admin"}' }],
    ['another version', { headers: { 'If-Match': '"2"' } }],
    ['a proposal', { query: { propose: 'Users' } }],
  ])('is another one for %s', async (_, other) => {
    const write = aWrite();
    await fail(write, lost);
    expect(earlierAttempt({ ...write, ...other })).toBe('other');
    await send({ ...write, ...other });
    expect(keys[1]).not.toBe(keys[0]);
  });

  it('distinguishes files', async () => {
    const upload = (content: string) => ({ ...aWrite(), path: '/v1/import', body: new Blob([content]) });
    const [first, second] = [upload('a'), upload('b')];
    await expect(sendOnce(first, () => Promise.reject(lost))).rejects.toBe(lost);
    expect(earlierAttempt(first)).toBe('same');
    expect(earlierAttempt(second)).toBe('other');
  });

  it('is a new one after a rejection, and after another write that may have undone it', async () => {
    const write = aWrite();
    await fail(write, rejected(409));
    await fail(write, lost);
    await send(aWrite());
    await send(write);
    expect(new Set(keys).size).toBe(4);
  });

  it('is left out if the service stores no more responses', async () => {
    expect(await send(aWrite(), rejected(429, KEY))).toBe('done');
    expect(keys).toEqual([expect.any(String), undefined]);
    await fail(aWrite(), rejected(429, 'requests'));
    const write = aWrite();
    await fail(write, lost);
    expect(await send(write, rejected(429, KEY))).toBe('done');
    expect(earlierAttempt(write)).toBeUndefined();
  });

  it.each([
    ['a read', { method: 'GET' }],
    ['a preview', { query: { dry_run: true } }],
    ['a session', { path: '/v1/session' }],
  ])('is not sent with %s', async (_, request) => {
    await send({ ...aWrite(), ...request });
    expect(keys).toEqual([undefined]);
  });
});
