import type { SecondConnection } from './second-connection';

/** Every row of a project in every table, by the name of the table, to check that nothing was written. */
export async function rowsOfProject(
  database: Pick<SecondConnection, 'rows'>,
  projectId: string,
): Promise<Record<string, string>> {
  const tables = await database.rows<{ name: string }>(
    `SELECT quote_ident(table_name) AS name
       FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = 'project_id'
      ORDER BY 1`,
  );
  const parts = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, string_agg(t::text, E'\\n' ORDER BY t::text) AS rows FROM ${name} t WHERE project_id = $1`,
  );
  const rows = await database.rows<{ name: string; rows: string | null }>(parts.join(' UNION ALL '), [
    projectId,
  ]);
  return Object.fromEntries(rows.map(({ name, rows: text }) => [name, text ?? '']));
}
