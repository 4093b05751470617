import { isIP } from 'node:net';
import { z } from 'zod';
import { integer, optional } from './setting-parsers';

const WORDS = new Set(['loopback', 'linklocal', 'uniquelocal']);
const MOST_HOPS = 100;

/** An address, a network in CIDR form, or a word for some. */
function isNetwork(text: string): boolean {
  if (WORDS.has(text)) return true;
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** As a browser sends it: scheme, host, and the port where it is not the scheme's own. */
const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;

const listed = (text: string): string[] => text.split(',').map((part) => part.trim());

/** How clients reach the service. */
export const transportSettings = {
  HOST: optional(z.string().default('127.0.0.1')),
  PORT: optional(integer(0, 65535).default(7780)),
  PUBLIC_URL: optional(
    z.url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' }).optional(),
  ),
  /** A chain of certificates and its key, in PEM form: the service then speaks TLS, and nothing else, on `PORT`. */
  TLS_CERT_FILE: optional(z.string().optional()),
  TLS_KEY_FILE: optional(z.string().optional()),
  /** Whose `X-Forwarded-*` are believed: as many proxies as a number says, or those of some networks. */
  TRUST_PROXY: optional(
    z
      .string()
      .transform((text): number | string[] => (/^\d{1,3}$/.test(text) ? Number(text) : listed(text)))
      .refine(
        (trusted) =>
          typeof trusted === 'number' ? trusted >= 1 && trusted <= MOST_HOPS : trusted.every(isNetwork),
        'must be the number of proxies, or addresses and networks (or loopback, linklocal, uniquelocal) joined by commas',
      )
      .optional(),
  ),
  /** The pages of which origins may use the service in a browser. */
  CORS_ORIGINS: optional(
    z
      .string()
      .transform(listed)
      .refine(
        (origins) => origins.every(isOrigin) || (origins.length === 1 && origins[0] === '*'),
        'must be origins such as https://fleet.example.com joined by commas, or *',
      )
      .optional(),
  ),
};
