import { accessSecretShape } from '../../access-secrets/access-secret';
import { projectShape } from '../../accounts/project';
import { settingsShape } from '../../accounts/settings/settings';
import { userShape } from '../../accounts/user';
import { cellShape } from '../../cells/cell';
import { cloudShape } from '../../clouds/cloud';
import { deviceKinds } from '../../devices/device-kinds';
import { auditShape } from '../../governance/audits/audit';
import { variableDefinitionShape } from '../../governance/definitions/variable-definition';
import { labelShape } from '../../labels/label';
import { regionShape } from '../../regions/region';
import { join, raw, sql, type Sql } from '../../database/sql';
import { from, ofKind } from '../../database/resource-sql';
import type { ResourceShape } from '../../database/resource-shape';

/** All kinds of stored resources. */
export const kinds: readonly ResourceShape[] = [
  projectShape,
  settingsShape,
  userShape,
  cloudShape,
  regionShape,
  cellShape,
  labelShape,
  accessSecretShape,
  ...deviceKinds.map((kind) => kind.shape),
  variableDefinitionShape,
  auditShape,
];

/** The union of a query over the rows `t` of each kind. */
export function ofEveryKind(shapes: readonly ResourceShape[], columns: (shape: ResourceShape) => Sql): Sql {
  const queries = shapes.map((shape) => sql`SELECT ${columns(shape)} ${from(shape)} WHERE ${ofKind(shape)}`);
  return union(queries);
}

export const union = (queries: readonly Sql[]): Sql => join([...queries], ' UNION ALL ');

/** The kind, as a constant of the program. */
export const storedKindOf = (shape: ResourceShape): Sql => raw(`'${shape.kind}'::text`);

/** The id in change records: null for projects and their settings, whose id is the project id. */
export const recordedId = (shape: ResourceShape): Sql =>
  raw(shape.idType === 'uuid' ? 'NULL::bigint' : 't.id');
