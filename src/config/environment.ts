import { z } from 'zod';
import { StartupError } from '../core/errors/startup-error';
import { misspelledNames, misspellingText } from './misspelled-names';
import { databaseSettings } from './settings/database';
import { identitySettings, requireKeystone } from './settings/identity';
import { limitSettings } from './settings/limits';
import { trafficSettings } from './settings/traffic';
import { transportSettings } from './settings/transport';
import { integer, oneOf, optional } from './settings/setting-parsers';

const isSecretKey = (text: string): boolean => Buffer.from(text, 'base64').length === 32;
const SECRET_KEY = 'must be 32 bytes in base64 (openssl rand -base64 32)';

const settings = z.object({
  /** Each is a process; more than there are processors bring nothing. */
  WORKERS: optional(integer(1, 64).default(1)),
  ...databaseSettings,
  DATA_DIR: optional(z.string().optional()),
  LIST_BODY: optional(oneOf('array', 'page').default('array')),
  SECRETS_KEY: optional(z.string().refine(isSecretKey, SECRET_KEY).optional()),
  SECRETS_KEY_OTHERS: optional(
    z
      .string()
      .transform((text) => text.split(',').map((key) => key.trim()))
      .refine((keys) => keys.every(isSecretKey), `each ${SECRET_KEY}, joined by commas`)
      .optional(),
  ),
  LOG_LEVEL: optional(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info')),
  METRICS_PORT: optional(integer(0, 65535).optional()),
  ...transportSettings,
  ...identitySettings,
  ...limitSettings,
  ...trafficSettings,
});

const schema = settings
  .refine(
    ({ DATABASE_URL: primary, DATABASE_REPLICA_URLS: replicas }) =>
      replicas === undefined || primary !== undefined,
    { path: ['DATABASE_REPLICA_URLS'], error: 'needs DATABASE_URL, the server that they follow' },
  )
  .refine(
    ({ DATABASE_URL: service, DATABASE_OWNER_URL: owner }) => owner === undefined || service !== undefined,
    { path: ['DATABASE_OWNER_URL'], error: "needs DATABASE_URL, with the service's own login" },
  )
  .refine(
    ({ SECRETS_KEY: sealing, SECRETS_KEY_OTHERS: others }) => others === undefined || sealing !== undefined,
    { path: ['SECRETS_KEY_OTHERS'], error: 'needs SECRETS_KEY, which seals' },
  )
  .refine(
    ({ TLS_CERT_FILE, TLS_KEY_FILE }) => (TLS_CERT_FILE === undefined) === (TLS_KEY_FILE === undefined),
    {
      path: ['TLS_CERT_FILE'],
      error: 'needs TLS_KEY_FILE, and that needs it',
    },
  )
  .refine(({ PORT, METRICS_PORT }) => PORT === 0 || PORT !== METRICS_PORT, {
    path: ['METRICS_PORT'],
    error: 'must be another port than PORT: both are listened on',
  })
  .superRefine(requireKeystone)
  .transform(({ IDENTITY = 'local', ...others }) => ({ ...others, IDENTITY }));

/** The environment, read and checked once. Documented, variable by variable, in the README. */
export type Environment = z.infer<typeof schema>;

/** Warnings about variables that look like misspelled settings. They have names in them, never values. */
export const settingWarnings = (source: NodeJS.ProcessEnv = process.env): string[] =>
  misspelledNames(Object.keys(source), Object.keys(settings.shape)).map(misspellingText);

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
