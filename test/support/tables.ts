import type { Service } from './service';
import { query } from './database';

/** Every row of every table, byte for byte, to see that nothing was written. */
export async function everyRow(app: Service): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    app,
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name`,
  );
  return rowsOf(app, tables);
}

/** Every row of a project, in every table. */
export async function rowsOfProject(app: Service, projectId: string): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    app,
    `SELECT quote_ident(table_name) AS name, 'WHERE project_id = $1' AS condition
       FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = 'project_id'
     UNION ALL SELECT 'projects', 'WHERE id = $1' ORDER BY 1`,
  );
  return rowsOf(app, tables, [projectId]);
}

/** The rows of several tables, by the name of the table. */
async function rowsOf(
  app: Service,
  tables: readonly { readonly name: string; readonly condition?: string }[],
  values: readonly unknown[] = [],
): Promise<Record<string, string>> {
  const parts = tables.map(
    ({ name, condition = '' }) =>
      `SELECT '${name}' AS name, string_agg(t::text, E'\\n' ORDER BY t::text) AS rows FROM ${name} t ${condition}`,
  );
  const rows = await query<{ name: string; rows: string | null }>(app, parts.join(' UNION ALL '), values);
  return Object.fromEntries(rows.map(({ name, rows: text }) => [name, text ?? '']));
}
