import { readFile } from 'node:fs/promises';
import { awaitBoth, resultWithin } from '../../src/core/concurrency';

/** Blocks the event loop. */
function block(milliseconds: number): void {
  const end = Date.now() + milliseconds;
  while (Date.now() < end);
}

describe('a timeout', () => {
  it('returns nothing for work that takes longer', async () => {
    expect(await resultWithin(new Promise(() => undefined), 100)).toBeUndefined();
  });

  it('does not count the time for which the event loop was blocked', async () => {
    const result = resultWithin(readFile(__filename, 'utf8'), 200);
    block(500);
    expect(await result).toContain('does not count the time');
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
