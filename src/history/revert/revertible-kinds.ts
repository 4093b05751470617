import { accessSecretMapping } from '../../access-secrets/access-secret.entity';
import { projectMapping } from '../../accounts/project.entity';
import { settingsMapping } from '../../accounts/settings/settings.entity';
import { userMapping } from '../../accounts/user.entity';
import { ADMIN, hasAccess, ROOT, rolesFor, write, type RouteAccess } from '../../auth/access';
import { cellMapping } from '../../cells/cell.entity';
import { cloudMapping } from '../../clouds/cloud.entity';
import { deviceKinds } from '../../devices/device-kinds';
import { auditMapping } from '../../governance/audits/audit.entity';
import { viewMapping } from '../../views/saved-view.entity';
import { variableDefinitionMapping } from '../../governance/definitions/variable-definition.entity';
import { labelMapping } from '../../labels/label.entity';
import { regionMapping } from '../../regions/region.entity';
import type { Principal } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { ownMembers } from '../../database/resource-sql';
import type { ResourceMapping } from '../../database/resource-mapping';

/** A kind of resource whose changes can be reverted. */
export interface RevertibleKind {
  readonly mapping: ResourceMapping;
  /** The access that writing it requires. */
  readonly writes: RouteAccess;
  /** The identity columns. A recreated resource has the same values in them. */
  readonly identity: readonly string[];
  /** The column that distinguishes its rows from those of other kinds in the same table. */
  readonly discriminator?: string;
  /** The part that change records never contain. Without it, a deleted resource cannot be recreated. */
  readonly unrecorded?: string;
}

const IDENTITY = ['project_id', 'id', 'uuid'];

const inCollection = (mapping: ResourceMapping): RevertibleKind => ({
  mapping,
  writes: write(mapping.collection),
  identity: IDENTITY,
});

/**
 * Every stored kind of resource. A kind comes after the kinds that it refers to, and is deleted before them. Roles, filters
 * of change records and the integrity check use the list, too.
 */
export const revertibleKinds: readonly RevertibleKind[] = [
  { mapping: projectMapping, writes: ROOT, identity: ['id'] },
  { mapping: settingsMapping, writes: ADMIN, identity: ['project_id'] },
  inCollection(userMapping),
  inCollection(cloudMapping),
  inCollection(labelMapping),
  { ...inCollection(accessSecretMapping), unrecorded: 'the content of an access secret' },
  inCollection(regionMapping),
  inCollection(cellMapping),
  ...deviceKinds.map(({ mapping }) => ({ ...inCollection(mapping), discriminator: 'kind' })),
  { ...inCollection(variableDefinitionMapping), writes: ADMIN },
  inCollection(auditMapping),
  inCollection(viewMapping),
];

/** The names of all collections. */
export const collectionNames: readonly string[] = revertibleKinds.map(({ mapping }) => mapping.collection);

const byName = new Map(revertibleKinds.map((kind) => [kind.mapping.kind, kind]));

/** @throws InventoryError 409 if changes of this kind cannot be reverted */
export function revertibleKind(name: string): RevertibleKind {
  const kind = byName.get(name);
  if (!kind) throw new InventoryError('conflict', `Changes of the kind ${name} cannot be reverted.`);
  return kind;
}

/** Compares kinds by the order of deletion: a kind is deleted before the kinds that it refers to. */
export const deletionOrder = (a: RevertibleKind, b: RevertibleKind): number =>
  revertibleKinds.indexOf(b) - revertibleKinds.indexOf(a);

/** Whether a kind is a kind of device. Devices can have parents. */
export const isDevice = ({ mapping }: RevertibleKind): boolean =>
  deviceKinds.some((device) => device.mapping === mapping);

/** Members that a revert does not restore as columns: every write sets them, and labels are restored by their ids. */
export const NOT_RESTORED: readonly string[] = [
  'id',
  'uuid',
  'project_id',
  'created_at',
  'updated_at',
  'version',
  'labels',
];

/** The columns of a kind that users can set, restricted to these members. */
export function restoredColumns({ mapping }: RevertibleKind, members: readonly string[]): string[] {
  return ownMembers(mapping).filter((name) => !NOT_RESTORED.includes(name) && members.includes(name));
}

/** @throws InventoryError 403 */
export function assertCanWriteKind(principal: Principal, { mapping, writes }: RevertibleKind): void {
  if (hasAccess(principal, writes)) return;
  throw InventoryError.forbidden(
    writes.needs === 'write'
      ? `Writing ${mapping.collection} needs the role ${mapping.collection}:write.`
      : `Only ${writes.needs === 'root' ? 'a root user writes' : 'admins write'} ${mapping.collection}.`,
    rolesFor(writes),
  );
}
