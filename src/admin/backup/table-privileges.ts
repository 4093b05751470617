import type { QueryRunner } from 'typeorm';
import { SERVICE_ROLE } from '../../database/connection/connection';
import { quoted, rowsOf } from './stored-tables';

/** What somebody may do with a table, one of its columns, or a sequence. */
interface Right {
  readonly relation: string;
  readonly kind: 'TABLE' | 'SEQUENCE';
  /** Null for all of it. */
  readonly column: string | null;
  /** Null for everybody. */
  readonly role: string | null;
  readonly privilege: string;
  readonly grantable: boolean;
}

/** Rights that somebody gave to others, to read for a report, say. What owner and service need, migrations give. */
export const rightsOfOthers = (runner: QueryRunner): Promise<Right[]> =>
  rowsOf<Right>(
    runner,
    `SELECT c.relname::text AS relation, CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind,
      given.column, r.rolname::text AS role, a.privilege_type AS privilege, a.is_grantable AS grantable
    FROM pg_class c CROSS JOIN LATERAL (
      SELECT NULL AS column, c.relacl AS acl
      UNION ALL SELECT attname::text, attacl FROM pg_attribute WHERE attrelid = c.oid AND NOT attisdropped
    ) given CROSS JOIN LATERAL aclexplode(given.acl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'S')
      AND a.grantee <> c.relowner AND (a.grantee = 0 OR r.rolname NOT IN (CURRENT_USER, $1))
    ORDER BY c.relname, given.column, r.rolname, a.privilege_type`,
    [SERVICE_ROLE],
  );

/** Gives rights on what bears the same names by now. */
export async function giveAgain(runner: QueryRunner, rights: readonly Right[]): Promise<void> {
  const there = await rowsOf<{ name: string; columns: string[] }>(
    runner,
    `SELECT relname::text AS name,
      ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND NOT attisdropped) AS columns
    FROM pg_class c WHERE relnamespace = current_schema()::regnamespace`,
  );
  const columnsOf = new Map(there.map(({ name, columns }) => [name, columns]));
  for (const { relation, kind, column, role, privilege, grantable } of rights) {
    const columns = columnsOf.get(relation);
    if (!columns || (column !== null && !columns.includes(column))) continue;
    const what = column === null ? privilege : `${privilege} (${quoted(column)})`;
    const whom = role === null ? 'PUBLIC' : quoted(role);
    await runner.query(
      `GRANT ${what} ON ${kind} ${quoted(relation)} TO ${whom}${grantable ? ' WITH GRANT OPTION' : ''}`,
    );
  }
}
