import { z } from 'zod';
import { serversOf } from '../database-urls';
import { integer, optional } from './setting-parsers';

const POSTGRES_URL = /^postgres(ql)?:\/\//;

/** Without a host, too, which the driver takes: `postgres://user@/database?host=/run/postgresql`. */
const isPostgresUrl = (url: string): boolean =>
  POSTGRES_URL.test(url) && URL.canParse(url.replace('@/', '@localhost/'));

/** With one host or several: see `serversOf`, which says what is wrong with it. */
const databaseUrl = z.string().superRefine((url, context) => {
  try {
    serversOf(url);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'cannot be read' });
  }
});

/** Where the database is, and how it is used. */
export const databaseSettings = {
  DATABASE_URL: optional(databaseUrl.optional()),
  /** The same database, with the login of the one who owns the schema: then the other is the service's own. */
  DATABASE_OWNER_URL: optional(databaseUrl.optional()),
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
