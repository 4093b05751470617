import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { readAgain } from '../src/api/read-again';

const KEY = ['hosts'];

describe('what is read again after a write', () => {
  it.each([
    ['a first read that has not ended', false],
    ['data that is being read again', true],
  ])('is no older than the write: %s', async (_, isReadBefore) => {
    const client = new QueryClient();
    let state = 'before';
    /** Ends the reads that have begun, each with the state when it began. */
    const ends: (() => void)[] = [];
    const observer = new QueryObserver(client, {
      queryKey: KEY,
      queryFn: () => {
        const read = state;
        return new Promise<string>((resolve) => ends.push(() => resolve(read)));
      },
      ...(isReadBefore ? { initialData: 'long ago' } : {}),
    });
    const unsubscribe = observer.subscribe(() => undefined);
    expect(ends).toHaveLength(1);
    state = 'after';
    const again = readAgain(client, { queryKey: KEY });
    // Cancelling takes some microtasks.
    await new Promise((resolve) => setImmediate(resolve));
    for (const end of ends) end();
    await again;
    expect(observer.getCurrentResult()).toMatchObject({ data: 'after', error: null, isFetching: false });
    unsubscribe();
    client.clear();
  });

  it('is not what other queries have read', async () => {
    const client = new QueryClient();
    let reads = 0;
    const queryFn = () => ++reads;
    const observers = [KEY, ['audits']].map((queryKey) => new QueryObserver(client, { queryKey, queryFn }));
    const stops = observers.map((observer) => observer.subscribe(() => undefined));
    await new Promise((resolve) => setImmediate(resolve));
    await readAgain(client, { predicate: ({ queryKey }) => queryKey[0] === 'hosts' });
    expect(reads).toBe(3);
    for (const stop of stops) stop();
    client.clear();
  });
});
