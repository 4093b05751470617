import { IdempotencyQuota } from '../../src/changes/idempotency-quota';
import type { RequestContext } from '../../src/core/context/request-context';

describe('the quota of stored responses', () => {
  beforeEach(() => jest.useFakeTimers({ now: 0 }));
  afterEach(() => jest.useRealTimers());

  const ctx = { projectId: 'p', principal: { userId: 1 } } as RequestContext;

  /** A database that holds these amounts, one after the other. */
  function databaseWith(...amounts: { responses: number; seconds: number | null }[]) {
    const rows = jest.fn(() => Promise.resolve([{ bytes: 0, ...amounts.shift() }] as never[]));
    return { rows, tx: { rows } };
  }

  it('is measured again when the oldest response expires', async () => {
    const quota = new IdempotencyQuota({ maxResponses: 100, maxBytes: 100 });
    const { rows, tx } = databaseWith({ responses: 100, seconds: 5 }, { responses: 99, seconds: 60 });
    const retryAfter5 = { code: 'too_many_requests', headers: { 'retry-after': '5' } };
    await expect(quota.assertAvailable(ctx, tx)).rejects.toMatchObject(retryAfter5);
    jest.setSystemTime(4_999);
    await expect(quota.assertAvailable(ctx, tx)).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(rows).toHaveBeenCalledTimes(1);
    jest.setSystemTime(5_000);
    await quota.assertAvailable(ctx, tx);
    expect(rows).toHaveBeenCalledTimes(2);
  });

  it('is not measured at each request of a user without stored responses', async () => {
    const quota = new IdempotencyQuota({ maxResponses: 100, maxBytes: 100 });
    const { rows, tx } = databaseWith({ responses: 0, seconds: null });
    for (const time of [0, 1, 60_000]) {
      jest.setSystemTime(time);
      await quota.assertAvailable(ctx, tx);
    }
    expect(rows).toHaveBeenCalledTimes(1);
  });
});
