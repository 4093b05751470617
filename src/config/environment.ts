import { z } from 'zod';
import { StartupError } from '../shared/errors/startup-error';

/** An empty variable means the same as an absent one, as in shells and compose files. */
const optional = <T extends z.ZodType>(type: T) => z.preprocess((v) => (v === '' ? undefined : v), type);
const integer = (min: number, max: number) => {
  const message = `must be a whole number from ${String(min)} to ${String(max)}`;
  return z.coerce.number(message).int(message).min(min, message).max(max, message);
};
const oneOf = <const T extends readonly [string, ...string[]]>(...words: T) =>
  z.enum(words, `must be one of ${words.join(', ')}`);

const POSTGRES_URL = /^postgres(ql)?:\/\//;

/** Without a host, too, which the driver takes: `postgres://user@/database?host=/run/postgresql`. */
const isPostgresUrl = (url: string): boolean =>
  POSTGRES_URL.test(url) && URL.canParse(url.replace('@/', '@localhost/'));

const settings = z.object({
  HOST: optional(z.string().default('127.0.0.1')),
  PORT: optional(integer(0, 65535).default(7780)),
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
  /** Each is a process; more than there are processors bring nothing. */
  WORKERS: optional(integer(1, 64).default(1)),
  DATABASE_POOL_SIZE: optional(integer(1, 1000).default(20)),
  DATA_DIR: optional(z.string().optional()),
  PUBLIC_URL: optional(
    z.url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' }).optional(),
  ),
  LIST_BODY: optional(oneOf('array', 'page').default('array')),
  SECRETS_KEY: optional(
    z
      .string()
      .refine(
        (v) => Buffer.from(v, 'base64').length === 32,
        'must be 32 bytes in base64 (openssl rand -base64 32)',
      )
      .optional(),
  ),
  /** Each has a connection open and is remembered; more are better spread over several processes. */
  FEED_WAITERS: optional(integer(1, 100_000).default(1_000)),
  /** An export keeps a connection to the database while it waits for its client. */
  EXPORT_STALL_SECONDS: optional(integer(1, 3600).default(60)),
  LOG_LEVEL: optional(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info')),
  METRICS_PORT: optional(integer(0, 65535).optional()),
  SHUTDOWN_SECONDS: optional(integer(1, 600).default(10)),
  /** 8 MiB: one resource's variables may take 1 MiB, which escapes can make several times as long on the wire. */
  BODY_LIMIT_BYTES: optional(integer(1024, 1024 * 1024 * 1024).default(8 * 1024 * 1024)),
  /** 4 GiB: a million devices with ten variables each take a quarter of that. */
  IMPORT_LIMIT_BYTES: optional(integer(1024, 1024 ** 4).default(4 * 1024 ** 3)),
});

const schema = settings.refine(
  ({ DATABASE_URL: primary, DATABASE_REPLICA_URLS: replicas }) =>
    replicas === undefined || primary !== undefined,
  { path: ['DATABASE_REPLICA_URLS'], error: 'needs DATABASE_URL, the server that they follow' },
);

/** The environment, read and checked once. Documented, variable by variable, in the README. */
export type Environment = z.infer<typeof schema>;

/**
 * Reads the settings from environment variables.
 * @throws StartupError naming every variable that is not as it should be.
 */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): Environment {
  const result = schema.safeParse(source);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new StartupError(`The environment is not usable: ${faults.join('; ')}.`);
}
