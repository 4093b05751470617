import { sequentialLoader } from '../../core/sequential-loader';
import { ttlCache } from '../../core/ttl-cache';
import { type CachedRows, postgresRowCache, type RowCache } from '../row-cache';

const UUID_LENGTH = 36;

/**
 * The cache on Citus. It searches a row in the given project first, so that a request needs no other node than that of
 * its project. Unknown keys of a project occupy at most one connection, and unknown projects are not searched.
 * @param existing selects the projects that exist
 */
export function citusRowCache<T extends object>(
  { read, areElsewhere }: CachedRows<T>,
  existing: (projectIds: readonly string[]) => Promise<ReadonlyMap<string, true>>,
): RowCache<T> {
  const everywhere = postgresRowCache({ read, areElsewhere });
  const projects = sequentialLoader(existing);
  const loaders = ttlCache(async (projectId) =>
    (await projects.load(projectId)) ? sequentialLoader((keys) => read(keys, projectId)) : undefined,
  );
  // By the project, a UUID, and the key.
  const inProjects = ttlCache(async (address) => {
    const loader = await loaders.fetch(address.slice(0, UUID_LENGTH));
    return loader?.load(address.slice(UUID_LENGTH));
  });
  return {
    fetch: async (key, projectId) => {
      if (projectId === undefined) return everywhere.fetch(key);
      const row = await inProjects.fetch(projectId + key);
      return row ?? (areElsewhere ? everywhere.fetch(key) : undefined);
    },
    delete: (key, projectId) => {
      everywhere.delete(key);
      if (projectId !== undefined) inProjects.delete(projectId + key);
    },
    clear: () => {
      everywhere.clear();
      inProjects.clear();
    },
  };
}
