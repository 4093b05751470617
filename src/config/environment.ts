import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { IsOptional, IsString, validateSync } from 'class-validator';
import { findClosest } from '../core/text';
import { StartupError } from '../core/errors';
import { fileVariable, readSettingTexts } from './setting-files';
import {
  Address,
  areOrigins,
  areReplicaUrls,
  areSecretsKeys,
  Check,
  CommaSeparated,
  databaseUrlFault,
  HttpUrl,
  IntegerBetween,
  IssuerUrl,
  KeystoneRoles,
  OidcRoles,
  OneOf,
  Proxies,
  RequiredFor,
  Requires,
  RequiresIdentity,
  Satisfies,
} from './setting-decorators';

const [KIB, MIB, GIB, TIB] = [1024, 1024 ** 2, 1024 ** 3, 1024 ** 4];

/** The settings, read from environment variables and validated at the start. docs/settings.md documents each of them. */
export class Environment {
  /** Worker processes. More workers than processors have no benefit. */
  @IntegerBetween(1, 64) WORKERS = 1;
  @OneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent') LOG_LEVEL = 'info';
  @OneOf('array', 'page') LIST_BODY: 'array' | 'page' = 'array';
  /** Off if a proxy before the service compresses, or if its CPUs are scarcer than the network. */
  @OneOf('on', 'off') COMPRESSION: 'on' | 'off' = 'on';

  // Where data is stored.

  @IsOptional() @Check(databaseUrlFault) DATABASE_URL?: string;
  /** The same database with the login of the schema's owner. */
  @IsOptional()
  @Check(databaseUrlFault)
  @Requires('DATABASE_URL', ", with the service's own login")
  DATABASE_OWNER_URL?: string;
  @IsOptional()
  @Satisfies(areReplicaUrls, 'must be URLs that begin with postgres://, separated by commas')
  @CommaSeparated()
  @Requires('DATABASE_URL', ', the primary of the replicas')
  DATABASE_REPLICA_URLS?: string[];
  /** At least 2: the service reads the replay position of each server twice a second. */
  @IntegerBetween(2, 3600) DATABASE_REPLICA_LAG_SECONDS = 10;
  @IntegerBetween(1, 1000) DATABASE_POOL_SIZE = 20;
  @IsOptional() @IsString() DATA_DIR?: string;
  @IsOptional()
  @Satisfies((key: string) => areSecretsKeys([key]), 'must be 32 bytes in base64 (openssl rand -base64 32)')
  SECRETS_KEY?: string;
  @IsOptional()
  @Satisfies(areSecretsKeys, 'must be keys of 32 bytes in base64, separated by commas')
  @CommaSeparated()
  @Requires('SECRETS_KEY', ', which encrypts')
  SECRETS_KEY_OTHERS?: string[];

  // How clients reach the service.

  @Address() HOST = '127.0.0.1';
  @IntegerBetween(0, 65_535) PORT = 7780;
  @IsOptional()
  @Check((port: number, { PORT }) =>
    port !== 0 && port === PORT ? 'must be another port than PORT: the service listens on both' : undefined,
  )
  @IntegerBetween(0, 65_535)
  METRICS_PORT?: number;
  @IsOptional() @HttpUrl() PUBLIC_URL?: string;
  /** A certificate chain in PEM form. With it, `PORT` accepts TLS only. */
  @IsOptional() @Requires('TLS_KEY_FILE', ': both must be set') TLS_CERT_FILE?: string;
  @IsOptional() @Requires('TLS_CERT_FILE', ': both must be set') TLS_KEY_FILE?: string;
  /** The proxies whose `X-Forwarded-*` headers are trusted. */
  @IsOptional() @Proxies() TRUST_PROXY?: number | string[];
  @IsOptional()
  @Satisfies(areOrigins, 'must be origins such as https://fleet.example.com separated by commas, or *')
  @CommaSeparated()
  CORS_ORIGINS?: string[];

  // Who authenticates callers.

  /**
   * `local`: API keys of Muster; `keystone`: tokens of an OpenStack Keystone as well; `oidc`: users of an OpenID
   * provider only; `local,oidc`: both. The default is `local`.
   */
  @IsOptional() @OneOf('local', 'keystone', 'oidc', 'local,oidc') IDENTITY?:
    | 'local'
    | 'keystone'
    | 'oidc'
    | 'local,oidc';
  /** With or without `/v3` at the end. */
  @Satisfies((url: string) => !/[@?#]/.test(url), 'must be a URL without a user, a query or a fragment')
  @HttpUrl()
  @RequiredFor('keystone')
  KEYSTONE_AUTH_URL?: string;
  /** The service user, which validates tokens. */
  @RequiredFor('keystone') KEYSTONE_USERNAME?: string;
  @RequiredFor('keystone') KEYSTONE_PASSWORD?: string;
  @IsString() KEYSTONE_USER_DOMAIN = 'default';
  /** The project in which the service user has its role. */
  @IsString() KEYSTONE_PROJECT = 'service';
  @IsString() KEYSTONE_PROJECT_DOMAIN = 'default';
  /** How long a valid token is cached, and so the longest time until its revocation takes effect. 0 for no cache. */
  @IntegerBetween(0, 3600) KEYSTONE_CACHE_SECONDS = 30;
  @IntegerBetween(1, 60) KEYSTONE_TIMEOUT_SECONDS = 5;
  /** The project whose admins are root. */
  @IsString() KEYSTONE_ADMIN_PROJECT = 'admin';
  @IsString() KEYSTONE_ADMIN_PROJECT_DOMAIN = 'default';
  /** Roles of Muster, by the Keystone role in lower case. */
  @IsOptional() @KeystoneRoles() @RequiresIdentity('keystone') KEYSTONE_ROLES?: Record<string, string[]>;
  /** The URL of the OpenID provider: its description is at `/.well-known/openid-configuration` below it. */
  @IssuerUrl() @RequiredFor('oidc') OIDC_ISSUER?: string;
  @RequiredFor('oidc') OIDC_CLIENT_ID?: string;
  /** Absent for a public client. */
  @IsOptional() @IsString() @RequiresIdentity('oidc') OIDC_CLIENT_SECRET?: string;
  /** The client of `muster login --oidc`, which has no secret. The default is `OIDC_CLIENT_ID`. */
  @IsOptional() @IsString() @RequiresIdentity('oidc') OIDC_CLI_CLIENT_ID?: string;
  @Satisfies((scopes: string) => scopes.split(' ').includes('openid'), 'must include the scope openid')
  OIDC_SCOPES = 'openid profile email';
  /** The audience of access tokens for Muster. The default is `OIDC_CLIENT_ID`. */
  @IsOptional() @IsString() @RequiresIdentity('oidc') OIDC_AUDIENCE?: string;
  /** The claim with the values that `OIDC_ROLES` maps: its name, or names separated by dots. */
  @IsString() OIDC_ROLES_CLAIM = 'groups';
  /** By value of the claim and project, roles of Muster. */
  @OidcRoles() @RequiredFor('oidc') OIDC_ROLES?: Record<string, Record<string, string[]>>;
  @IsString() OIDC_USERNAME_CLAIM = 'preferred_username';
  /** How sign-in pages call the provider. */
  @IsString() OIDC_NAME = 'OpenID Connect';

  // Sessions of browsers.

  /** Without a request for this long, a session ends. An open page that shows changes sends requests. */
  @IntegerBetween(1, 43_200) SESSION_IDLE_MINUTES = 60;
  /** A working day. After that, one signs in again, even while using the session. */
  @IntegerBetween(1, 720) SESSION_HOURS = 12;

  // Limits on clients.

  /** Twelve for each connection of the default pool. More would wait for longer than a retry takes. */
  @IntegerBetween(1, 100_000) MAX_IN_FLIGHT = 256;
  /** Room for the requests in flight, the clients that wait for changes, and many idle connections. */
  @IntegerBetween(1, 1_000_000) MAX_CONNECTIONS = 4096;
  @IntegerBetween(KIB, 64 * KIB) URL_LIMIT_BYTES = 8 * KIB;
  /** The request line and the headers together. */
  @IntegerBetween(4 * KIB, 256 * KIB) HEADER_LIMIT_BYTES = 16 * KIB;
  @IntegerBetween(1, 600) HEADER_SECONDS = 15;
  @IntegerBetween(1, 3600) BODY_SECONDS = 300;
  /** For the whole request. An import holds one of four slots while its body arrives. */
  @IntegerBetween(1, 86_400) IMPORT_SECONDS = 3600;
  /** How long a connection may be without traffic while the service waits for its client. */
  @IntegerBetween(1, 3600) CLIENT_STALL_SECONDS = 60;
  /** Requests per second for each key. 0 means no limit, because a suitable limit depends on the deployment. */
  @IntegerBetween(0, 1_000_000) RATE_LIMIT = 0;
  /** Per minute. Enough for typing errors of a person; keys with 256 random bits cannot be guessed. */
  @IntegerBetween(1, 1_000_000) WRONG_CREDENTIALS_LIMIT = 10;
  /** Each client that waits for changes holds a connection. To serve more, use several processes. */
  @IntegerBetween(1, 100_000) FEED_WAITERS = 1000;
  /** One resource's variables may take 1 MiB, and JSON escapes can make them several times longer. */
  @IntegerBetween(KIB, GIB) BODY_LIMIT_BYTES = 8 * MIB;
  /** A million devices with ten variables each take a quarter of it. */
  @IntegerBetween(KIB, TIB) IMPORT_LIMIT_BYTES = 4 * GIB;
  /** A million devices take minutes. An export holds a database connection, and keeps old row versions. */
  @IntegerBetween(1, 86_400) EXPORT_SECONDS = 3600;
  /** Stored responses of each user in a project, within 24 hours. */
  @IntegerBetween(1, 1_000_000) IDEMPOTENCY_MAX_ANSWERS = 10_000;
  /** A few thousand hosts with resolved variables of 70 kB, created one by one. */
  @IntegerBetween(KIB, TIB) IDEMPOTENCY_MAX_BYTES = 256 * MIB;
  /** Of one user in a project: those that are not applied, and those that were withdrawn within a day. */
  @IntegerBetween(1, 100_000) PROPOSALS_PER_USER = 100;

  // Timeouts of the service.

  /** A change of a variable that a hundred thousand devices inherit takes a few seconds. */
  @IntegerBetween(1, 86_400) STATEMENT_SECONDS = 60;
  @IntegerBetween(1, 86_400) TRANSACTION_SECONDS = 120;
  @IntegerBetween(1, 600) SHUTDOWN_SECONDS = 10;
  /** For load balancers, which check `/readyz` at intervals. */
  @IntegerBetween(0, 600) SHUTDOWN_NOTICE_SECONDS = 0;
}

/** The names of all settings: each is a property of a new instance, with or without a default. */
export const SETTING_NAMES: readonly string[] = Object.keys(new Environment());

/** Warnings about variables that look like misspelled settings. They contain names, never values. */
export const settingWarnings = (source: NodeJS.ProcessEnv = process.env): string[] =>
  misspelledNames(Object.keys(source), [...SETTING_NAMES, ...SETTING_NAMES.map(fileVariable)]).map(
    misspellingText,
  );

/**
 * Reads and validates the settings, each from its variable or from the file that the variable with `_FILE` names. An empty
 * variable counts as absent, as in shells and Compose files.
 * @throws StartupError naming every setting that is invalid
 */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): Environment {
  const { texts, faults: unreadable } = readSettingTexts(source, SETTING_NAMES);
  if (unreadable.length > 0) throw invalid(unreadable);
  const environment = plainToInstance(Environment, texts);
  const faults = validateSync(environment, { stopAtFirstError: true }).map(
    ({ property, constraints = {} }) => `${property}: ${Object.values(constraints).join(', ')}`,
  );
  if (faults.length > 0) throw invalid(faults);
  // Not a default of the class: settings of a provider without IDENTITY are a mistake.
  environment.IDENTITY ??= 'local';
  return environment;
}

const invalid = (faults: readonly string[]): StartupError =>
  new StartupError(`The environment is invalid: ${faults.join('; ')}.`);

/** An unknown name, and the known name that was probably meant. */
export interface MisspelledName {
  readonly name: string;
  readonly closest: string;
}

/** Other programs' variables that are as similar to a setting as a typing error would be. */
const WELL_KNOWN: ReadonlySet<string> = new Set(['SSL_CERT_FILE']);

/** Names with other characters are not typing errors, and could contain terminal escapes. */
const PRINTABLE = /^\w+$/;

/** Up to this length a name has many neighbours that are words of their own: `POST` and `ROOT` are near `PORT`. */
const MAX_SHORT_LENGTH = 6;
/** From this length on, two typing errors still leave a name recognizable. */
const MIN_LONG_LENGTH = 10;

/**
 * Finds environment variables whose names differ from a known name by a typing error: one edit, or two edits of a long
 * name. In a short name only two swapped letters count. It takes names only, because values may be secret.
 */
export function misspelledNames(names: readonly string[], known: readonly string[]): MisspelledName[] {
  return names
    .filter((name) => PRINTABLE.test(name) && !known.includes(name) && !WELL_KNOWN.has(name))
    .flatMap((name) => {
      const letters = sortedLetters(name);
      const comparable = known.filter(
        (setting) => setting.length > MAX_SHORT_LENGTH || sortedLetters(setting) === letters,
      );
      const closest = findClosest(name, comparable, (setting) => (setting.length < MIN_LONG_LENGTH ? 1 : 2));
      return closest === undefined ? [] : [{ name, closest }];
    });
}

/** The warning about a misspelled name. */
const misspellingText = ({ name, closest }: MisspelledName): string =>
  `The environment variable ${name} is unknown and ignored. Did you mean ${closest}?`;

const sortedLetters = (text: string): string => Array.from(text).sort().join('');
