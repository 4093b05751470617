import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { readBegan, recordReads } from '../src/api/read-again';

describe('when a read began', () => {
  it('is before it ended, and is not when a further page was read', async () => {
    const client = new QueryClient();
    const queryKey = ['failures'];
    let now = 1;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    const observer = new InfiniteQueryObserver(client, {
      queryKey,
      queryFn: ({ pageParam }) => {
        now += 10;
        return pageParam;
      },
      initialPageParam: 0,
      getNextPageParam: (last: number) => last + 1,
    });
    const query = observer.getCurrentQuery();
    await observer.refetch();
    expect(query.state.dataUpdatedAt).toBe(11);
    expect(readBegan(query)).toBe(11);
    recordReads(client.getQueryCache());
    await observer.refetch();
    expect(readBegan(query)).toBe(11);
    expect(query.state.dataUpdatedAt).toBe(21);
    await observer.fetchNextPage();
    expect(readBegan(query)).toBe(11);
    await observer.refetch();
    expect(readBegan(query)).toBe(31);
    client.clear();
  });
});
