import { z } from 'zod';
import { integer, optional } from './types';

const POSTGRES_URL = /^postgres(ql)?:\/\//;

/** Without a host, too, which the driver takes: `postgres://user@/database?host=/run/postgresql`. */
const isPostgresUrl = (url: string): boolean =>
  POSTGRES_URL.test(url) && URL.canParse(url.replace('@/', '@localhost/'));

/** Where the database is, and how it is used. */
export const databaseSettings = {
  DATABASE_URL: optional(z.string().regex(POSTGRES_URL, 'must begin with postgres://').optional()),
  DATABASE_REPLICA_URLS: optional(
    z
      .string()
      .transform((text) => text.split(',').map((url) => url.trim()))
      .refine(
        (urls) => urls.every(isPostgresUrl),
        'must be URLs that begin with postgres://, joined by commas',
      )
      .optional(),
  ),
  /** Servers are asked twice a second where they are: what is not older than that cannot be known. */
  DATABASE_REPLICA_LAG_SECONDS: optional(integer(2, 3600).default(10)),
  DATABASE_POOL_SIZE: optional(integer(1, 1000).default(20)),
};
