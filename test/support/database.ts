import { Client, type QueryResultRow } from 'pg';
import { keyIdOf, type Credentials } from './caller';
import type { Service } from './service';

/** Queries the application's database as its owner. */
export async function query<R extends QueryResultRow>(
  app: Service,
  text: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  const client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  try {
    return (await client.query<R>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** Lets an API key expire, as if time passed: no request can set a time in the past. @param at an interval from now */
export async function expireKey(app: Service, key: Credentials, at = '-1 microsecond'): Promise<void> {
  await query(app, 'UPDATE api_keys SET expires_at = now() + $2::interval WHERE key_id = $1', [
    keyIdOf(key),
    at,
  ]);
}
