import type { SecondConnection } from './second-connection';

type Database = Pick<SecondConnection, 'rows'>;

/** Every row of every table, to check that nothing was written. */
export async function everyRow(database: Database): Promise<Record<string, string>> {
  const tables = await database.rows<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name`,
  );
  return rowsOf(database, tables);
}

/** Every row of a project, in every table. */
export async function rowsOfProject(database: Database, projectId: string): Promise<Record<string, string>> {
  const tables = await database.rows<{ name: string; condition: string }>(
    `SELECT quote_ident(table_name) AS name, 'WHERE project_id = $1' AS condition
       FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = 'project_id'
      ORDER BY 1`,
  );
  return rowsOf(database, tables, [projectId]);
}

/** The rows of several tables, by the name of the table. */
async function rowsOf(
  database: Database,
  tables: readonly { readonly name: string; readonly condition?: string }[],
  values: readonly unknown[] = [],
): Promise<Record<string, string>> {
  const parts = tables.map(
    ({ name, condition = '' }) =>
      `SELECT '${name}' AS name, string_agg(t::text, E'\\n' ORDER BY t::text) AS rows FROM ${name} t ${condition}`,
  );
  const rows = await database.rows<{ name: string; rows: string | null }>(parts.join(' UNION ALL '), values);
  return Object.fromEntries(rows.map(({ name, rows: text }) => [name, text ?? '']));
}
