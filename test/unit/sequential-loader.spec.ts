import { sequentialLoader } from '../../src/core/sequential-loader';

it('sequentialLoader reads one batch at a time, and goes on after an error', async () => {
  const batches: { keys: readonly string[]; end: (outcome: Error | Map<string, string>) => void }[] = [];
  const loader = sequentialLoader<string>(
    (keys) =>
      new Promise((resolve, reject) => {
        const end = (outcome: Error | Map<string, string>) => {
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        };
        batches.push({ keys, end });
      }),
  );
  const batch = async (index: number) => {
    for (;;) {
      const found = batches[index];
      if (found) return found;
      await new Promise(setImmediate);
    }
  };
  const first = loader.load('a');
  const { keys, end } = await batch(0);
  expect(keys).toEqual(['a']);
  const later = [loader.load('b'), loader.load('c'), loader.load('b')];
  await new Promise(setImmediate);
  expect(batches).toHaveLength(1);
  end(new Error('unavailable'));
  await expect(first).rejects.toThrow('unavailable');
  const second = await batch(1);
  expect(second.keys).toEqual(['b', 'c', 'b']);
  second.end(new Map([['c', 'C']]));
  expect(await Promise.all(later)).toEqual([undefined, 'C', undefined]);
});
