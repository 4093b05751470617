import { citusRowCache } from '../../src/database/citus/citus-row-cache';

const HOME = '3f1b6c1e-5a3d-4d0e-9a55-0d2b8f0f6b11';
const OTHER = '3f1b6c1e-5a3d-4d0e-9a55-0d2b8f0f6b12';
const UNKNOWN = '3f1b6c1e-5a3d-4d0e-9a55-0d2b8f0f6b13';

/** A cache over one row with the key `known` in the project HOME, and where it was searched. */
function cacheOf(areElsewhere: boolean) {
  const searches: (string | undefined)[] = [];
  const read = (keys: readonly string[], projectId?: string) => {
    searches.push(projectId);
    const isThere = projectId === undefined || projectId === HOME;
    return Promise.resolve(
      new Map(keys.flatMap((key) => (key === 'known' && isThere ? [[key, { key }]] : []))),
    );
  };
  const existing = (ids: readonly string[]) =>
    Promise.resolve(new Map(ids.filter((id) => id !== UNKNOWN).map((id) => [id, true as const])));
  return { cache: citusRowCache({ read, areElsewhere }, existing), searches };
}

it.each([
  ['in its project only', 'known', HOME, true, true, [HOME]],
  ['everywhere without a project', 'known', undefined, true, true, [undefined]],
  ['everywhere if the project does not have it', 'known', OTHER, true, true, [OTHER, undefined]],
  ['in its project only if rows are nowhere else', 'known', OTHER, false, false, [OTHER]],
  ['not in an unknown project', 'known', UNKNOWN, false, false, []],
  ['everywhere if the project is unknown', 'absent', UNKNOWN, true, false, [undefined]],
] as const)('the row is searched %s', async (_, key, projectId, areElsewhere, isFound, expected) => {
  const { cache, searches } = cacheOf(areElsewhere);
  expect(await cache.fetch(key, projectId)).toEqual(isFound ? { key } : undefined);
  expect(searches).toEqual(expected);
});

it('a row is read once until it is deleted from the cache', async () => {
  const { cache, searches } = cacheOf(true);
  await cache.fetch('known', HOME);
  await cache.fetch('known', HOME);
  expect(searches).toEqual([HOME]);
  cache.delete('known', HOME);
  await cache.fetch('known', HOME);
  cache.clear();
  await cache.fetch('known', HOME);
  expect(searches).toEqual([HOME, HOME, HOME]);
});
