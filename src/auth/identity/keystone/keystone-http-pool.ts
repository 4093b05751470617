import type { Pool } from 'undici';
import type { KeystoneSettings } from './keystone-settings';

/** The maximum of connections to Keystone per process, and of concurrent requests. */
export const MOST_QUESTIONS = 16;

/** In bytes. The description of a token with hundreds of roles has a tenth of it. */
const MAX_RESPONSE_SIZE = 1024 * 1024;

/** The injection token of the connection pool for Keystone. */
export const KEYSTONE_POOL = Symbol('pool of connections to Keystone');

/** Imports undici only if Keystone is configured, because loading it takes about 5 % of the startup time. */
export async function connectKeystone({ url, patienceMs: timeoutMs }: KeystoneSettings): Promise<Pool> {
  const { Pool } = await import('undici');
  return new Pool(url.origin, {
    connections: MOST_QUESTIONS,
    maxResponseSize: MAX_RESPONSE_SIZE,
    connect: { timeout: timeoutMs },
  });
}
