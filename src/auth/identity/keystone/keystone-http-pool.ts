import type { Pool } from 'undici';
import type { KeystoneSettings } from './keystone-settings';

/** Connections to Keystone, of each process; as many questions are asked at a time. */
export const MOST_QUESTIONS = 16;

/** In bytes. A token of hundreds of roles is told in a tenth of it. */
const LONGEST_ANSWER = 1024 * 1024;

/** In Nest's container: a `Pool` of connections to Keystone. */
export const KEYSTONE_POOL = Symbol('pool of connections to Keystone');

/** Imports undici only here, where Keystone is configured: loading it takes about 5 % of the time of a start. */
export async function connectKeystone({ url, patienceMs }: KeystoneSettings): Promise<Pool> {
  const { Pool } = await import('undici');
  return new Pool(url.origin, {
    connections: MOST_QUESTIONS,
    maxResponseSize: LONGEST_ANSWER,
    connect: { timeout: patienceMs },
  });
}
