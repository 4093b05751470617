import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { deletedPath, refreshInventory } from '../src/components/refresh-inventory';

/** Lets promises that need nothing else go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('after a change of the inventory', () => {
  it('what can be edited is waited for, and numbers that take seconds are not', async () => {
    const client = new QueryClient();
    /** Ends the read of a query. */
    const ends = new Map<string, () => void>();
    const waitedFor = [
      ['hosts', 'list'],
      ['audits', 7, 'item'],
    ];
    const slow = [
      ['device-counts'],
      ['audits', 7, 'own-values'],
      ['audits', 'p1', 'overview'],
      ['regions', 3, 'variable-values', 'p1', 'kernel'],
      ['regions', 3, 'device-counts', 'p1'],
      ['views', 'p1', 'count', 'hosts'],
    ];
    const keys = [...waitedFor, ...slow];
    const stops = keys.map((queryKey) =>
      new QueryObserver(client, {
        queryKey,
        queryFn: () =>
          new Promise<string>((resolve) => {
            ends.set(queryKey.join(), () => {
              resolve('new');
            });
          }),
        initialData: 'old',
        staleTime: Infinity,
      }).subscribe(() => undefined),
    );
    let isDone = false;
    const refreshed = refreshInventory(client).then(() => {
      isDone = true;
    });
    await settle();
    expect([...ends.keys()].sort()).toEqual(keys.map((key) => key.join()).sort());
    ends.get('hosts,list')?.();
    await settle();
    expect(isDone).toBe(false);
    ends.get('audits,7,item')?.();
    await refreshed;
    expect(waitedFor.map((key) => client.getQueryData(key))).toEqual(['new', 'new']);
    expect(slow.map((key) => client.getQueryData(key))).toEqual(slow.map(() => 'old'));
    for (const stop of stops) stop();
    client.clear();
  });

  it.each([
    ['DELETE', '/v1/hosts/12', '/v1/hosts/12'],
    // The host is still there.
    ['DELETE', '/v1/hosts/12/variables/kernel', undefined],
    ['PUT', '/v1/hosts/12', undefined],
  ] as const)('%s %s deletes %j', (method, path, expected) => {
    expect(deletedPath({ method, path })).toBe(expected);
  });
});
