import type { ProjectPolicy } from '../auth/project-policies';
import type { RequestContext } from '../core/context/request-context';
import type { Visibility } from '../core/context/visibility';
import { InventoryError } from '../core/errors/inventory-error';
import type { Transaction } from '../database/database';
import type { ResourceShape } from '../database/resource-shape';
import type { ChangeSet } from './change-set';
import type { Snapshot, Touched } from './tracked-resource';
import { requireRoom } from './variables-size-limit';
import { variableChanges, type VariableChange } from './variable-diff';

/** What happened to a resource. */
export type ChangeAction = 'create' | 'update' | 'delete';

/** All that a change did to one resource. */
export interface DescribedObject {
  readonly shape: ResourceShape;
  /** 0 for a project, whose id is its project's. */
  readonly id: number;
  /** By now, or as it was when it was deleted. */
  readonly name: string;
  readonly action: ChangeAction;
  readonly before: Snapshot | undefined;
  readonly after: Snapshot | undefined;
  readonly variables: readonly VariableChange[];
}

/** A change that is made, but not yet recorded and not yet committed: what it did, resource by resource. */
export interface DescribedChange {
  readonly ctx: RequestContext;
  /** The change's own transaction: everything is as the change leaves it. */
  readonly tx: Transaction;
  readonly projectId: string;
  readonly reason: string | undefined;
  /** What the settings of the project rule. */
  readonly policy: ProjectPolicy | undefined;
  readonly objects: readonly DescribedObject[];
}

/**
 * Reads how everything that a change touched looks by now, kind by kind.
 * @param policyOf what rules the project that is written
 * @throws InventoryError 400 for more variables than a resource may have
 */
export async function describe(
  change: ChangeSet,
  policyOf: (projectId: string) => Promise<ProjectPolicy | undefined>,
): Promise<DescribedChange> {
  const objects: DescribedObject[] = [];
  for (const group of byShape(change.touched)) {
    const [first] = group;
    if (!first) continue;
    const alive = group.filter((touched) => !touched.deleted).map((touched) => touched.id);
    const after =
      alive.length > 0
        ? await change.statesOf(first.shape, first.projectId, alive)
        : new Map<number, Snapshot>();
    for (const touched of group)
      objects.push(describeOne(touched, after.get(touched.id), change.ctx.visibility));
  }
  const { ctx, tx, reason } = change;
  const projectId = projectOf(change.touched);
  return { ctx, tx, reason, projectId, policy: change.ruledBy ?? (await policyOf(projectId)), objects };
}

/**
 * Nobody alters a variable that he does not see. Services refuse the keys that a request names before they read
 * anything; this holds what no request names, such as the values that a revert would bring back. Deleting a resource
 * takes its variables along, whoever sees them.
 * @throws InventoryError 403 that names no key
 */
export function requireVisible({ ctx, objects }: DescribedChange): void {
  if (ctx.visibility.isWhole) return;
  const isHidden = ({ key }: VariableChange): boolean => !ctx.visibility.sees(JSON.parse(key) as string);
  if (objects.some(({ action, variables }) => action !== 'delete' && variables.some(isHidden)))
    throw new InventoryError('forbidden', 'This would alter variables that are private in this project.');
}

function describeOne(touched: Touched, after: Snapshot | undefined, visibility: Visibility): DescribedObject {
  const { shape, id, before } = touched;
  requireRoom(shape.kind, before?.variables, after?.variables, visibility);
  return {
    shape,
    id,
    name: (after ?? before)?.name ?? '',
    action: actionOf(touched),
    before,
    after,
    variables: variableChanges(before?.variables, after?.variables),
  };
}

function projectOf(touched: readonly Touched[]): string {
  const [first] = touched;
  if (!first) throw new Error('a change that touched nothing');
  const { projectId } = first;
  if (touched.some((one) => one.projectId !== projectId))
    throw new Error('a change that touches two projects');
  return projectId;
}

/** What is of one shape, together. */
export function byShape<T extends { readonly shape: ResourceShape }>(all: readonly T[]): Iterable<T[]> {
  const groups = new Map<ResourceShape, T[]>();
  for (const one of all) {
    const group = groups.get(one.shape);
    if (group) group.push(one);
    else groups.set(one.shape, [one]);
  }
  return groups.values();
}

function actionOf({ deleted, before }: Touched): ChangeAction {
  if (deleted) return 'delete';
  return before ? 'update' : 'create';
}
