import { InitialSchema1765000000000 } from './1765000000000-initial-schema';

/** All migrations, oldest first. New ones are appended, and released ones are never changed. */
export const migrations = [InitialSchema1765000000000] as const;
