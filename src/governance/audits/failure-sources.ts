import { Visibility } from '../../core/context/variable-keys';
import type { Queryable } from '../../database/database';
import { arrayParameter, sql } from '../../database/sql';
import { deviceInheritance } from '../../devices/device-kind';
import { decidingLevel } from '../../variables/key-levels';
import { LevelSet, type ResolutionTarget } from '../../variables/levels';
import { targetColumns, type VariableResolver } from '../../variables/variable-resolver';

/** The region, cell, label or device that sets a value. */
export interface FailureSource {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

/** A device with the variable that fails. */
interface FailingKey extends FailureSource {
  readonly key: string;
}

type TargetRow = ResolutionTarget & { readonly id: number; readonly is_own: boolean } & Record<
    string,
    unknown
  >;

/** Finds where the values of devices are set. @returns in the order of the failures; undefined where nothing sets the variable */
export async function findSources(
  resolver: VariableResolver,
  on: Queryable,
  projectId: string,
  failures: readonly FailingKey[],
): Promise<readonly (FailureSource | undefined)[]> {
  if (failures.length === 0) return [];
  // Whether a device itself sets the variable is selected; its variables can be long.
  const rows = await on.rows<TargetRow>(sql`
    SELECT t.id, t.variables ? f.key AS is_own, ${targetColumns(deviceInheritance, undefined, { omitsVariables: true })}
    FROM unnest(${arrayParameter(failures.map(({ id }) => id))}::bigint[],
      ${arrayParameter(failures.map(({ key }) => key))}::text[]) AS f (id, key)
    JOIN devices t ON t.project_id = ${projectId} AND t.id = f.id`);
  const targets = new Map(rows.map((row) => [row.id, row]));
  // The audit does not name variables that the caller may not see.
  const levels = new LevelSet(await resolver.readLevels(rows, on), Visibility.ALL);
  return failures.map(({ kind, id, name, key }) => {
    const target = targets.get(id);
    if (!target) return undefined;
    if (target.is_own) return { kind, id, name };
    const source = decidingLevel(levels.inheritedLevels(target), JSON.stringify(key));
    return source && { kind: source.kind, id: source.id, name: source.name };
  });
}
