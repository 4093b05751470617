import type { Service } from './service';
import { query } from './database';

/** Every row of every table, byte for byte, to see that nothing was written. */
export async function everyRow(app: Service): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    app,
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name`,
  );
  const parts = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, string_agg(t::text, E'\\n' ORDER BY t::text) AS rows FROM ${name} t`,
  );
  const rows = await query<{ name: string; rows: string | null }>(app, parts.join(' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, rows: text }) => [name, text ?? '']));
}
