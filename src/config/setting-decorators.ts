import { isIP } from 'node:net';
import { Transform, Type } from 'class-transformer';
import { IsDefined, IsIn, IsInt, Max, Min, ValidateBy, ValidateIf } from 'class-validator';
import type { ValidationArguments } from 'class-validator';
import { isMappableRole } from '../core/context/request-context';
import { isObject } from '../core/context/variable-keys';
import { parseServers } from './database-urls';

/*
 * The decorators of `Environment`, and what they check. No message contains a value, because it may be a secret.
 */

/** A decorator of properties of the type `T`. */
type SettingDecorator<T = unknown> = <K extends string>(target: { [P in K]?: T }, property: K) => void;

/** A decorator of properties of a class that has the setting `S`, too. */
type RequiringDecorator<S extends string> = <K extends string>(
  target: { [P in K | S]?: unknown },
  property: K,
) => void;

/** The settings while they are checked. */
type Settings = Readonly<Record<string, unknown>>;

/** The general check. `fault` returns the message, or undefined if there is no fault. */
export function Check<T>(fault: (value: T, settings: Settings) => string | undefined): SettingDecorator<T> {
  const faultOf = (args?: ValidationArguments) => fault(args?.value as T, args?.object as Settings);
  return ValidateBy({
    name: 'check',
    validator: {
      validate: (_, args) => faultOf(args) === undefined,
      defaultMessage: (args) => faultOf(args) ?? '',
    },
  });
}

export const Satisfies = <T>(isValid: (value: T) => boolean, message: string): SettingDecorator<T> =>
  Check((value: T) => (isValid(value) ? undefined : message));

const requires = (setting: string, why: string): SettingDecorator =>
  Check((_, settings) => (settings[setting] === undefined ? `requires ${setting}${why}` : undefined));

/** The property has no effect without another setting of the class. */
export const Requires: <S extends string>(setting: S, why: string) => RequiringDecorator<S> = requires;

/** An identity provider, as the setting `IDENTITY` names it. */
type Provider = 'keystone' | 'oidc';

/** Whether `IDENTITY` includes a provider. */
export const usesProvider = (
  { IDENTITY = 'local' }: { readonly IDENTITY?: string },
  provider: Provider,
): boolean => IDENTITY.split(',').includes(provider);

/** A setting of a provider, which has no effect without `IDENTITY`. */
export const RequiresIdentity = (provider: Provider): SettingDecorator =>
  requires('IDENTITY', `=${provider} (or IDENTITY=local, which ignores it)`);

/** A setting without which a provider cannot be used. */
export const RequiredFor = (provider: Provider): SettingDecorator =>
  combine(
    ValidateIf(
      (settings: { readonly IDENTITY?: string }, value) =>
        value !== undefined || usesProvider(settings, provider),
    ),
    IsDefined({ message: `is required when IDENTITY is ${provider}` }),
    RequiresIdentity(provider),
  );

export function IntegerBetween(min: number, max: number): SettingDecorator<number> {
  const options = { message: `must be an integer from ${String(min)} to ${String(max)}` };
  const toNumber = Type(() => Number);
  return combine(toNumber, IsInt(options), Min(min, options), Max(max, options));
}

export const OneOf = (...words: string[]): SettingDecorator<string> =>
  IsIn(words, { message: `must be one of ${words.join(', ')}` });

/** Converts a list. */
export const CommaSeparated = (): SettingDecorator<string[]> => convert(split);

const webUrl = (pattern: RegExp, schemes: string): SettingDecorator<string> =>
  combine(
    convert((text) => text.trim()),
    Satisfies(
      (url: string) => pattern.test(url) && URL.canParse(url),
      `must be a URL that begins with ${schemes}, without a user, a query or a fragment`,
    ),
  );

/** The URL of a web server. */
export const HttpUrl = () => webUrl(/^https?:\/\/[^\s@?#]+$/i, 'http:// or https://');

/** The URL of an OpenID provider. It needs TLS: with altered responses, an attacker could sign in as any user. */
export const IssuerUrl = () => webUrl(/^https:\/\/[^\s@?#]+$/i, 'https://');

/** An address or a name to listen on. An IPv6 address may have the brackets that it has in URLs. */
export const Address = (): SettingDecorator<string> =>
  combine(
    convert((text) => /^\[(.*)\]$/.exec(text)?.[1] ?? text),
    Satisfies(
      (host: string) => isIP(host) !== 0 || /^[\w.-]+$/.test(host),
      'must be an address or a host name without a port, such as 0.0.0.0, :: or localhost',
    ),
  );

const PROXY_KEYWORDS = new Set(['loopback', 'linklocal', 'uniquelocal']);
const MAX_PROXIES = 100;

/** The number of proxies, or their addresses and networks. */
export const Proxies = (): SettingDecorator<number | string[]> =>
  combine(
    convert((text) => (/^\d{1,3}$/.test(text) ? Number(text) : split(text))),
    Satisfies(
      (proxies: number | string[]) =>
        typeof proxies === 'number' ? proxies >= 1 && proxies <= MAX_PROXIES : proxies.every(isNetwork),
      'must be the number of proxies, or addresses and networks (or loopback, linklocal, uniquelocal) separated by commas',
    ),
  );

const MAX_MAPPED_ROLES = 256;

/** A JSON object that maps Keystone roles to Muster roles. Keystone ignores the case of a role's name. */
export const KeystoneRoles = (): SettingDecorator<Record<string, string[]>> =>
  combine(
    convert((text) => {
      const mapping = parseJson(text);
      if (!isObject(mapping)) return mapping;
      return Object.fromEntries(Object.entries(mapping).map(([name, roles]) => [name.toLowerCase(), roles]));
    }),
    Check((mapping) =>
      mappingFault(
        mapping,
        'must be JSON such as {"member": ["*:write"]}: for Keystone roles, roles of Muster',
        'admin',
      ),
    ),
  );

/** A JSON object that maps values of a claim to projects, and each project to Muster roles. */
export const OidcRoles = (): SettingDecorator<Record<string, Record<string, string[]>>> =>
  combine(convert(parseJson), Check(oidcRolesFault));

/** @returns the text itself if it is not a JSON object: then the check rejects it */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : text;
  } catch {
    return text;
  }
}

function oidcRolesFault(mapping: unknown): string | undefined {
  const form =
    'must be JSON such as {"netops": {"fleet": ["network-devices:write"]}}: for values of the claim, projects with roles of Muster';
  if (!isObject(mapping)) return form;
  return Object.values(mapping)
    .map((projects) => mappingFault(projects, form, 'admin, root'))
    .find((fault) => fault !== undefined);
}

/** @param form how a mapping looks @param special words that are no roles, but can be mapped to */
function mappingFault(mapping: unknown, form: string, special: string): string | undefined {
  if (!isObject(mapping)) return form;
  for (const [name, roles] of Object.entries(mapping)) {
    if (!Array.isArray(roles) || !roles.every((role) => typeof role === 'string')) return form;
    if (roles.length > MAX_MAPPED_ROLES || !roles.every(isMappableRole))
      return `must map ${JSON.stringify(name)} to at most ${String(MAX_MAPPED_ROLES)} roles, each ${special} or a role of Muster`;
  }
  return undefined;
}

/** @returns what is wrong with the URL of a database with one host or several */
export function databaseUrlFault(url: string): string | undefined {
  try {
    parseServers(url);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'cannot be read';
  }
}

/** The driver also accepts URLs without a host: `postgres://user@/database?host=/run/postgresql`. */
export const areReplicaUrls = (urls: string[]): boolean =>
  urls.every((url) => /^postgres(ql)?:\/\//.test(url) && URL.canParse(url.replace('@/', '@localhost/')));

export const areSecretsKeys = (keys: string[]): boolean =>
  keys.every((key) => Buffer.from(key, 'base64').length === 32);

/** Origins as browsers send them, without the default port of the scheme; or `*` for all. */
export const areOrigins = (origins: string[]): boolean =>
  origins.join() === '*' ||
  origins.every((text) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text);

/** An address, a network in CIDR notation, or a keyword. */
function isNetwork(text: string): boolean {
  if (PROXY_KEYWORDS.has(text)) return true;
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

const split = (text: string): string[] => text.split(',').map((part) => part.trim());

function convert(read: (text: string) => unknown): PropertyDecorator {
  return Transform(({ value }: { value: string }) => read(value));
}

function combine<T>(...decorators: SettingDecorator<T>[]): SettingDecorator<T> {
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}
