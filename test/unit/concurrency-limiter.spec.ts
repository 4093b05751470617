import { type Caller, ConcurrencyLimiter, sharesOf } from '../../src/core/concurrency';

describe('ConcurrencyLimiter', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const limits = { maxConcurrent: 2, message: 'Too many.', retryAfterSeconds: 7 };
  const rejection = { code: 'unavailable', message: 'Too many.', headers: { 'retry-after': '7' } };
  const limiterWithQueue = (maxLength: number) =>
    new ConcurrencyLimiter({ ...limits, queue: { maxLength, timeoutMs: 1_000 } });

  /** Runs work until `end` is called. */
  function start(
    limiter: ConcurrencyLimiter,
    signal = new AbortController().signal,
    order?: number,
    caller?: Caller,
  ) {
    let queued: boolean | undefined;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const onQueued = jest.fn();
    const result = limiter.run(
      async (wasQueued) => {
        queued = wasQueued;
        await ended;
      },
      { signal, onQueued, caller, ...(order === undefined ? {} : { order }) },
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

  describe('with shares', () => {
    const callerOf = (userId: number, projectId: string): Caller => ({ principal: { userId }, projectId });
    const [ann, bob, cat, dan] = [
      callerOf(1, 'a'),
      callerOf(2, 'a'),
      callerOf(3, 'a'),
      callerOf(4, 'b'),
    ] as const;
    const limiterOf = (maxConcurrent: number, maxLength?: number) =>
      new ConcurrencyLimiter({
        ...limits,
        maxConcurrent,
        ...(maxLength === undefined ? {} : { queue: { maxLength, timeoutMs: 1_000 } }),
        shares: { ...sharesOf(maxConcurrent), callsName: 'exports' },
      });
    const by = (limiter: ConcurrencyLimiter, caller: Caller) => start(limiter, undefined, undefined, caller);
    const settle = () => jest.advanceTimersByTimeAsync(0);
    const rejectionFor = (owner: 'user' | 'project', max: number) => ({
      code: 'unavailable',
      message: expect.stringContaining(
        `The limit of one ${owner} is reached: ${String(max)} exports`,
      ) as string,
      headers: { 'retry-after': '7' },
    });

    it.each([
      [1, 1, 1],
      [2, 1, 1],
      [3, 2, 2],
      [4, 2, 3],
      [20, 10, 15],
      [Infinity, Infinity, Infinity],
    ])('of %d are %d for a user and %d for a project', (max, maxPerUser, maxPerProject) => {
      expect(sharesOf(max)).toEqual({ maxPerUser, maxPerProject });
    });

    it('leaves room for other users and other projects, and names the share that is used up', async () => {
      const limiter = limiterOf(4);
      const runs = [by(limiter, ann), by(limiter, ann)];
      await expect(by(limiter, ann).result).rejects.toMatchObject(rejectionFor('user', 2));
      // The same user in another project.
      await expect(by(limiter, callerOf(1, 'b')).result).rejects.toMatchObject(rejectionFor('user', 2));
      runs.push(by(limiter, bob));
      await expect(by(limiter, cat).result).rejects.toMatchObject(rejectionFor('project', 3));
      runs.push(by(limiter, dan));
      expect(runs.map(({ wasQueued }) => wasQueued())).toEqual([false, false, false, false]);
      await expect(by(limiter, callerOf(5, 'c')).result).rejects.toMatchObject(rejection);
      await endAll(runs);
      await endAll([by(limiter, ann), by(limiter, ann)]);
    });

    it('starts a call at once although calls of users without room are queued', async () => {
      const limiter = limiterOf(4, 10);
      const runs = Array.from({ length: 5 }, () => by(limiter, ann));
      const other = by(limiter, dan);
      expect([...runs, other].map(({ wasQueued }) => wasQueued())).toEqual([
        ...[false, false, undefined, undefined, undefined],
        false,
      ]);
      await endAll([other, ...runs]);
      expect(runs.map(({ wasQueued }) => wasQueued())).toEqual([false, false, true, true, true]);
    });

    it('limits how much of the queue a user and a project have', async () => {
      const limiter = limiterOf(4, 4);
      const runs = Array.from({ length: 4 }, () => by(limiter, ann));
      await expect(by(limiter, ann).result).rejects.toMatchObject(rejectionFor('user', 2));
      runs.push(by(limiter, bob), by(limiter, bob));
      await expect(by(limiter, bob).result).rejects.toMatchObject(rejectionFor('project', 3));
      await endAll(runs);
    });

    it('takes the call of the user with the fewest running calls from the queue', async () => {
      const limiter = limiterOf(4, 20);
      const anns = Array.from({ length: 4 }, () => by(limiter, ann));
      const dans = Array.from({ length: 4 }, () => by(limiter, dan));
      const late = by(limiter, callerOf(5, 'c'));
      anns[0]?.end();
      await settle();
      expect(late.wasQueued()).toBe(true);
      expect(anns[2]?.wasQueued()).toBeUndefined();
      await endAll([...anns, ...dans, late]);
    });

    it('starts two calls if a call that ends makes room for its user and for its project', async () => {
      const limiter = limiterOf(8, 20);
      const runs = [...Array.from({ length: 4 }, () => by(limiter, ann)), by(limiter, bob), by(limiter, bob)];
      const elsewhere = by(limiter, callerOf(1, 'b'));
      const colleague = by(limiter, cat);
      expect([elsewhere.wasQueued(), colleague.wasQueued()]).toEqual([undefined, undefined]);
      runs[0]?.end();
      await settle();
      expect([elsewhere.wasQueued(), colleague.wasQueued()]).toEqual([true, true]);
      await endAll([...runs, elsewhere, colleague]);
    });
  });
});
