import { Client, type QueryResultRow } from 'pg';
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
