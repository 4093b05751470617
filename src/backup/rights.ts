import type { QueryRunner } from 'typeorm';
import { SERVICE_ROLE } from '../shared/persistence/connection';
import { quoted, rowsOf } from './catalogue';

/** What somebody may do with a table or a sequence. */
interface Right {
  readonly relation: string;
  readonly kind: 'TABLE' | 'SEQUENCE';
  readonly role: string;
  readonly privilege: string;
  readonly grantable: boolean;
}

/** Rights that somebody gave to others, to read for a report, say. What owner and service need, migrations give. */
export const rightsOfOthers = (runner: QueryRunner): Promise<Right[]> =>
  rowsOf<Right>(
    runner,
    `SELECT c.relname::text AS relation, CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind,
      r.rolname::text AS role, a.privilege_type AS privilege, a.is_grantable AS grantable
    FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'S')
      AND a.grantee <> c.relowner AND r.rolname NOT IN (CURRENT_USER, $1)
    ORDER BY c.relname, r.rolname, a.privilege_type`,
    [SERVICE_ROLE],
  );

/** Gives rights on what bears the same names by now. */
export async function giveAgain(runner: QueryRunner, rights: readonly Right[]): Promise<void> {
  const there = await rowsOf<{ name: string }>(
    runner,
    'SELECT relname::text AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace',
  );
  const names = new Set(there.map(({ name }) => name));
  for (const { relation, kind, role, privilege, grantable } of rights)
    if (names.has(relation))
      await runner.query(
        `GRANT ${privilege} ON ${kind} ${quoted(relation)} TO ${quoted(role)}${grantable ? ' WITH GRANT OPTION' : ''}`,
      );
}
