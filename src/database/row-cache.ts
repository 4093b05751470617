import { sequentialLoader } from '../core/sequential-loader';
import { ttlCache } from '../core/ttl-cache';

/** A read-through cache of rows whose keys are unique in all projects. */
export interface RowCache<T> {
  /** @param projectId see `CachedRows` */
  fetch(key: string, projectId?: string): Promise<T | undefined>;
  delete(key: string, projectId?: string): void;
  clear(): void;
}

/** How the rows of a cache are read. */
export interface CachedRows<T> {
  /** Reads rows. @param projectId the project of all of them; undefined: several */
  readonly read: (keys: readonly string[], projectId?: string) => Promise<ReadonlyMap<string, T>>;
  /** Whether rows can be in another project than the given one, which is then only where they probably are. */
  readonly areElsewhere: boolean;
}

/** The cache on a PostgreSQL server, which finds a row without its project. Unknown keys occupy at most one connection. */
export function postgresRowCache<T extends object>({ read }: CachedRows<T>): RowCache<T> {
  const loader = sequentialLoader((keys) => read(keys));
  return ttlCache((key) => loader.load(key));
}
