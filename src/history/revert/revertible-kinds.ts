import { accessSecretShape } from '../../access-secrets/access-secret';
import { projectShape } from '../../accounts/project';
import { settingsShape } from '../../accounts/settings/settings';
import { userShape } from '../../accounts/user';
import { ADMIN, maySee, ROOT, write, type RouteAccess } from '../../auth/access';
import { cellShape } from '../../cells/cell';
import { cloudShape } from '../../clouds/cloud';
import { deviceKinds } from '../../devices/device-kinds';
import { auditShape } from '../../governance/audits/audit';
import { variableDefinitionShape } from '../../governance/definitions/variable-definition';
import { labelShape } from '../../labels/label';
import { regionShape } from '../../regions/region';
import type { Principal } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import { ownMembers } from '../../database/resource-sql';
import type { ResourceShape } from '../../database/resource-shape';

/** A kind of resource whose changes can be undone. */
export interface RevertibleKind {
  readonly shape: ResourceShape;
  /** What its writes ask of their caller. */
  readonly writes: RouteAccess;
  /** The columns by which it is itself, and which it has again when it comes back. */
  readonly identity: readonly string[];
  /** The column that tells its rows from those of other kinds in the same table. */
  readonly discriminator?: string;
  /** What change records never hold of it, without which it cannot come back. */
  readonly unrecorded?: string;
}

const IDENTITY = ['project_id', 'id', 'uuid'];

const inCollection = (shape: ResourceShape): RevertibleKind => ({
  shape,
  writes: write(shape.collection),
  identity: IDENTITY,
});

/** What refers to something comes after it: so it is deleted before it. */
const kinds: readonly RevertibleKind[] = [
  { shape: projectShape, writes: ROOT, identity: ['id'] },
  { shape: settingsShape, writes: ADMIN, identity: ['project_id'] },
  inCollection(userShape),
  inCollection(cloudShape),
  inCollection(labelShape),
  { ...inCollection(accessSecretShape), unrecorded: 'the content of an access secret' },
  inCollection(regionShape),
  inCollection(cellShape),
  ...deviceKinds.map(({ shape }) => ({ ...inCollection(shape), discriminator: 'kind' })),
  { ...inCollection(variableDefinitionShape), writes: ADMIN },
  inCollection(auditShape),
];

const byName = new Map(kinds.map((kind) => [kind.shape.kind, kind]));

/** @throws InventoryError 409 for a kind of which nothing can be undone */
export function revertibleKind(name: string): RevertibleKind {
  const kind = byName.get(name);
  if (!kind) throw new InventoryError('conflict', `Changes of the kind ${name} cannot be undone.`);
  return kind;
}

/** Kinds in the order in which they are deleted: what refers to something before it. */
export const deletionOrder = (one: RevertibleKind, other: RevertibleKind): number =>
  kinds.indexOf(other) - kinds.indexOf(one);

/** Whether what is changed are devices, which can have parents. */
export const isDevice = ({ shape }: RevertibleKind): boolean =>
  deviceKinds.some((device) => device.shape === shape);

/** What every write sets by itself, and what labels are by their names: they are put back by their ids. */
export const NOT_PUT_BACK: readonly string[] = [
  'id',
  'uuid',
  'project_id',
  'created_at',
  'updated_at',
  'version',
  'labels',
];

/** The columns of a kind that hold what users set, as far as these members name them. */
export function columnsOf({ shape }: RevertibleKind, members: readonly string[]): string[] {
  return ownMembers(shape).filter((name) => !NOT_PUT_BACK.includes(name) && members.includes(name));
}

/** @throws InventoryError 403 */
export function requireKindWrite(principal: Principal, { shape, writes }: RevertibleKind): void {
  if (maySee(principal, writes)) return;
  throw new InventoryError(
    'forbidden',
    writes.needs === 'write'
      ? `Writing ${shape.collection} needs the role ${shape.collection}:write.`
      : `Only ${writes.needs === 'root' ? 'a root user writes' : 'admins write'} ${shape.collection}.`,
  );
}
