import { readFile } from 'node:fs/promises';
import { MessageChannel } from 'node:worker_threads';
import { awaitBoth, resultWithin, SteppedWork } from '../../src/core/concurrency';

/** Blocks the event loop. */
function block(milliseconds: number): void {
  const end = Date.now() + milliseconds;
  while (Date.now() < end);
}

describe('work without I/O in steps', () => {
  /** Whether other work runs between two steps. */
  const yields = async (work: SteppedWork): Promise<boolean> => {
    let hasYielded = false;
    const other = setImmediate(() => {
      hasYielded = true;
    });
    await work.yieldIfDue();
    clearImmediate(other);
    return hasYielded;
  };

  it('lets other work run if it has taken longer than a turn, and then begins a new one', async () => {
    const work = new SteppedWork(50);
    block(60);
    expect([await yields(work), await yields(new SteppedWork(60_000))]).toEqual([true, false]);
    block(60);
    expect(await yields(work)).toBe(true);
  });
});

describe('a timeout', () => {
  it('returns nothing for work that takes longer', async () => {
    expect(await resultWithin(new Promise(() => undefined), 100)).toBeUndefined();
  });

  it('does not count the time for which the event loop was blocked', async () => {
    const { port1: near, port2: far } = new MessageChannel();
    const message = new Promise((resolve) => near.once('message', resolve));
    // It arrives before the loop is blocked, and is read after the timers that have expired meanwhile.
    far.postMessage('arrived');
    const result = resultWithin(message, 200);
    block(500);
    expect(await result).toBe('arrived');
    near.close();
  });

  it('throws the error of the work', async () => {
    await expect(resultWithin(Promise.reject(new Error('no connection')), 100)).rejects.toThrow(
      'no connection',
    );
  });
});

describe('concurrent work', () => {
  it('is complete when its error is thrown', async () => {
    let isDone = false;
    const slow = readFile(__filename).then(() => {
      isDone = true;
    });
    await expect(awaitBoth(Promise.reject(new Error('no connection')), slow)).rejects.toThrow(
      'no connection',
    );
    expect(isDone).toBe(true);
  });

  it('has all results', async () => {
    expect(await awaitBoth(Promise.resolve(1), Promise.resolve('a'))).toEqual([1, 'a']);
  });
});
