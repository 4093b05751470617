import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { hasRun, runOptions } from '../src/api/audit-run';
import { readAgain } from '../src/api/read-again';

const KEY = ['audits', 1, 'run'];

describe('the run of an audit', () => {
  let client: QueryClient;
  /** What was read: each with whether it is stored. */
  let reads: string[];
  let failure: Error | undefined;
  const options = (isNew = false) =>
    runOptions<string>({
      queryKey: KEY,
      isNew,
      getNextPageParam: (page) => (page === 'first' ? 'second' : undefined),
      read: (isStored, { marker = 'first' }) => {
        reads.push(`${isStored ? 'stored' : 'looked at'}: ${marker}`);
        return failure ? Promise.reject(failure) : Promise.resolve(marker);
      },
      onStored: () => reads.push('told'),
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  /** Shows the run as the page of the audit does. @returns what stops that */
  const show = async () => {
    const stop = new InfiniteQueryObserver(client, { ...options(), retry: false }).subscribe(() => undefined);
    await settle();
    return stop;
  };
  beforeEach(() => {
    client = new QueryClient();
    reads = [];
    failure = undefined;
  });
  afterEach(() => {
    client.clear();
    jest.restoreAllMocks();
  });

  it('is stored once, however often and late its result is shown', async () => {
    (await show())();
    expect(reads.splice(0)).toEqual(['stored: first', 'told']);
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 1_700_000);
    (await show())();
    expect(reads).toEqual([]);
  });

  it('is no run when it is read again after a write, nor are its further pages', async () => {
    const observer = new InfiniteQueryObserver(client, options());
    const stop = observer.subscribe(() => undefined);
    await settle();
    await observer.fetchNextPage();
    expect(reads.splice(0)).toEqual(['stored: first', 'told', 'looked at: second']);
    await readAgain(client, { queryKey: ['audits'] });
    expect(reads.splice(0)).toEqual(['looked at: first', 'looked at: second']);
    stop();
    // As long as it is not shown, it is not read at all.
    await readAgain(client, { queryKey: ['audits'] });
    expect(reads.splice(0)).toEqual([]);
    (await show())();
    expect(reads).toEqual(['looked at: first', 'looked at: second']);
  });

  it.each(['shown', 'not shown'])('is one more if "Run again" resets a result that is %s', async (state) => {
    const stop = await show();
    if (state === 'not shown') stop();
    reads = [];
    void client.resetQueries({ queryKey: KEY });
    await client.infiniteQuery(options());
    expect(reads).toEqual(['stored: first', 'told']);
    stop();
  });

  it('is one more if all are run, also while it is shown', async () => {
    const stop = await show();
    reads = [];
    await client.infiniteQuery({ ...options(true), staleTime: 0 });
    expect(reads).toEqual(['stored: first', 'told']);
    stop();
  });

  it('is not repeated by looking at its error', async () => {
    failure = new Error('busy');
    (await show())();
    expect(reads.splice(0)).toEqual(['stored: first']);
    expect(hasRun(client.getQueryState(KEY))).toBe(true);
    (await show())();
    expect(reads).toEqual([]);
  });

  it('has begun when it is asked for, but not when the list shows its button', async () => {
    expect(hasRun(client.getQueryState(KEY))).toBe(false);
    const button = new InfiniteQueryObserver(client, { ...options(true), enabled: false });
    const stop = button.subscribe(() => undefined);
    expect(hasRun(client.getQueryState(KEY))).toBe(false);
    const result = button.refetch();
    expect(hasRun(client.getQueryState(KEY))).toBe(true);
    await result;
    expect(hasRun(client.getQueryState(KEY))).toBe(true);
    expect(reads).toEqual(['stored: first', 'told']);
    await button.refetch();
    expect(reads).toEqual(['stored: first', 'told', 'stored: first', 'told']);
    stop();
  });
});
