import { ConcurrencyLimiter } from '../../src/core/concurrency';

describe('ConcurrencyLimiter', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const limits = { maxConcurrent: 2, message: 'Too many.', retryAfterSeconds: 7 };
  const rejection = { code: 'unavailable', message: 'Too many.', headers: { 'retry-after': '7' } };
  const limiterWithQueue = (maxLength: number) =>
    new ConcurrencyLimiter({ ...limits, queue: { maxLength, timeoutMs: 1_000 } });

  /** Runs work until `end` is called. */
  function start(limiter: ConcurrencyLimiter, signal = new AbortController().signal, order?: number) {
    let queued: boolean | undefined;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const onQueued = jest.fn();
    const result = limiter.run(
      async (wasQueued) => {
        queued = wasQueued;
        await ended;
      },
      { signal, onQueued, ...(order === undefined ? {} : { order }) },
    );
    return { result, end, onQueued, wasQueued: () => queued };
  }

  const endAll = async (runs: readonly ReturnType<typeof start>[]) => {
    for (const { end } of runs) end();
    await Promise.all(runs.map(({ result }) => result));
  };

  it('runs queued calls in the order of their arrival', async () => {
    const limiter = limiterWithQueue(3);
    const runs = Array.from({ length: 5 }, () => start(limiter));
    const states = () => runs.map(({ wasQueued }) => wasQueued());
    expect(states()).toEqual([false, false, undefined, undefined, undefined]);
    expect(runs.map(({ onQueued }) => onQueued.mock.calls.length)).toEqual([0, 0, 1, 1, 1]);
    runs[1]?.end();
    await runs[1]?.result;
    await jest.advanceTimersByTimeAsync(0);
    expect(states()).toEqual([false, false, true, undefined, undefined]);
    await endAll(runs);
    expect(states()).toEqual([false, false, true, true, true]);
  });

  it('runs queued calls with a lower number first', async () => {
    const limiter = limiterWithQueue(4);
    const runs = [1, 2, 4, 3, 2, 2].map((order) => start(limiter, undefined, order));
    const order: number[] = [];
    for (let i = 0; i < runs.length; i++) {
      expect(limiter.queued).toBe(Math.max(4 - i, 0));
      for (const [n, run] of runs.entries())
        if (run.wasQueued() !== undefined && !order.includes(n)) order.push(n);
      const next = order[i];
      if (next === undefined) throw new Error('no call runs');
      runs[next]?.end();
      await runs[next]?.result;
      await jest.advanceTimersByTimeAsync(0);
    }
    expect(order).toEqual([0, 1, 4, 5, 3, 2]);
  });

  it('releases the slot of work that fails', async () => {
    const limiter = new ConcurrencyLimiter(limits);
    const fail = () => limiter.run(() => Promise.reject(new Error('failed')));
    for (let i = 0; i < 5; i++) await expect(fail()).rejects.toThrow('failed');
  });

  it.each([0, 1])('rejects a call at once if a queue of %i is full', async (length) => {
    const limiter = length === 0 ? new ConcurrencyLimiter(limits) : limiterWithQueue(length);
    const runs = Array.from({ length: limits.maxConcurrent + length }, () => start(limiter));
    await expect(start(limiter).result).rejects.toMatchObject(rejection);
    await endAll(runs);
  });

  it('rejects a call that is queued for too long', async () => {
    const limiter = limiterWithQueue(1);
    const runs = [start(limiter), start(limiter)];
    const queued = start(limiter);
    const rejected = expect(queued.result).rejects.toMatchObject(rejection);
    let isRejected = false;
    void rejected.then(() => (isRejected = true));
    await jest.advanceTimersByTimeAsync(999);
    expect(isRejected).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await rejected;
    await endAll(runs);
    expect(queued.wasQueued()).toBeUndefined();
    await endAll([start(limiter), start(limiter)]);
  });

  it('removes a call from the queue when its signal is aborted', async () => {
    const limiter = limiterWithQueue(1);
    const runs = [start(limiter), start(limiter)];
    const client = new AbortController();
    const queued = start(limiter, client.signal);
    client.abort();
    await expect(queued.result).rejects.toMatchObject(rejection);
    const next = start(limiter);
    await endAll([...runs, next]);
    expect([queued.wasQueued(), next.wasQueued()]).toEqual([undefined, true]);
  });
});
