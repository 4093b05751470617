import { coalesce, singleFlight } from '../../src/core/concurrency';

/** Work that the test completes. */
class Work {
  started = 0;
  private readonly ends: ((outcome: number | Error) => void)[] = [];

  readonly call = coalesce(() => {
    const which = ++this.started;
    return new Promise<number>((resolve, reject) => {
      this.ends.push((outcome) => {
        if (typeof outcome === 'number') resolve(which);
        else reject(outcome);
      });
    });
  });

  async end(outcome: number | Error = 0): Promise<void> {
    for (let end = this.ends.shift(); ; end = this.ends.shift()) {
      if (end) {
        end(outcome);
        return;
      }
      await new Promise(setImmediate);
    }
  }
}

describe('singleFlight', () => {
  it('shares the run in progress per key', async () => {
    const ends = new Map<string, (value: string) => void>();
    const work = jest.fn(
      (key: string) =>
        new Promise<string>((resolve) => {
          ends.set(key, resolve);
        }),
    );
    const shared = singleFlight(work);
    const calls = [shared('a'), shared('b'), shared('a')];
    expect(work).toHaveBeenCalledTimes(2);
    ends.get('a')?.('A');
    ends.get('b')?.('B');
    expect(await Promise.all(calls)).toEqual(['A', 'B', 'A']);
    const later = shared('a');
    expect(work).toHaveBeenCalledTimes(3);
    ends.get('a')?.('later');
    expect(await later).toBe('later');
  });

  it('shares an error, and forgets it', async () => {
    const work = jest
      .fn<Promise<string>, []>()
      .mockRejectedValueOnce(new Error('no'))
      .mockResolvedValueOnce('yes');
    const shared = singleFlight(work);
    const outcomes = await Promise.allSettled([shared(), shared()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await shared()).toBe('yes');
    expect(work).toHaveBeenCalledTimes(2);
  });
});

describe('coalesce', () => {
  it('shares a run among concurrent calls, and one more run among calls during it', async () => {
    const work = new Work();
    const first = [work.call(), work.call()];
    while (work.started === 0) await new Promise(setImmediate);
    const second = [work.call(), work.call(), work.call()];
    expect(work.started).toBe(1);
    await work.end();
    expect(await Promise.all(first)).toEqual([1, 1]);
    await work.end();
    expect(await Promise.all(second)).toEqual([2, 2, 2]);
    expect(work.started).toBe(2);
  });

  it('rejects the calls of a failed run only', async () => {
    const work = new Work();
    const failing = [work.call(), work.call()].map((call) => expect(call).rejects.toThrow('no'));
    while (work.started === 0) await new Promise(setImmediate);
    const next = work.call();
    await work.end(new Error('no'));
    await Promise.all(failing);
    await work.end();
    expect(await next).toBe(2);
  });
});
