import type { AppMetrics } from '../core/app-metrics';
import type { ProjectPolicy } from '../auth/project-policies';
import type { RequestContext } from '../core/context/request-context';
import type { Visibility } from '../core/context/visibility';
import { InventoryError } from '../core/errors/inventory-error';
import type { Transaction } from '../database/database';
import type { ResourceShape } from '../database/resource-shape';
import type { ChangeSet } from './change-set';
import type { Snapshot, TrackedResource } from './snapshot';
import { visibleDocument } from '../core/json/visible-document';
import { membersOf, type DocumentMembers } from '../core/json/json-document';

/** What happened to one variable: JSON texts; undefined where the key is not set. */
export interface VariableChange {
  /** The key as a JSON string. */
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const EMPTY_DOCUMENT = '{}';

/** Compares two documents key by key. Values are compared as the texts that PostgreSQL prints, unparsed. */
export function variableChanges(before = EMPTY_DOCUMENT, after = EMPTY_DOCUMENT): VariableChange[] {
  return before === after ? [] : memberChanges(membersOf(before), membersOf(after));
}

/** The same, of documents that are split already. */
export function memberChanges(old: DocumentMembers, now: DocumentMembers): VariableChange[] {
  if (old === now) return [];
  const changes: VariableChange[] = [];
  for (const [key, value] of now)
    if (old.get(key) !== value) changes.push({ key, before: old.get(key), after: value });
  for (const [key, value] of old) if (!now.has(key)) changes.push({ key, before: value, after: undefined });
  return changes;
}

/** Both sides of every changed variable, as the JSON text that a change record holds. */
export function diffText(changes: readonly VariableChange[]): string {
  const members = changes.map(({ key, before, after }) => {
    const sides = [
      ...(before === undefined ? [] : [`"before": ${before}`]),
      ...(after === undefined ? [] : [`"after": ${after}`]),
    ];
    return `${key}: {${sides.join(', ')}}`;
  });
  return `{${members.join(', ')}}`;
}

/** One resource's variables together take at most this many bytes, of those that the one who writes sees. */
const MOST = 1024 * 1024;
/** With those that are hidden from him: by a limit over both that he came up to, he could tell the length of these. */
const MAX_WITH_HIDDEN = 2 * MOST;

const NOTHING = '{}';

/**
 * Holds the variables of one resource to what they may take. What takes more already may shrink and stay: others, who
 * saw less of it, may have added to it.
 * @param kind the resource's
 * @throws InventoryError 400
 */
export function assertVariablesSize(
  kind: string,
  before = NOTHING,
  after = NOTHING,
  visibility: Visibility,
): void {
  // Not even counted, where it cannot be too much.
  if (before === after || after.length * 3 <= MOST || Buffer.byteLength(after) <= MOST) return;
  const seen = (document: string): string => visibleDocument(document, visibility);
  if (!exceeds(MOST, seen(before), seen(after)) && !exceeds(MAX_WITH_HIDDEN, before, after)) return;
  throw InventoryError.invalid('variables', `of one ${kind} together take at most 1 MiB`);
}

function exceeds(most: number, before: string, after: string): boolean {
  const bytes = Buffer.byteLength(after);
  return bytes > most && bytes > Buffer.byteLength(before);
}

/** What happened to a resource. */
export type ChangeAction = 'create' | 'update' | 'delete';

/** All that a change did to one resource. */
export interface ObjectDiff {
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
export interface ChangeDiff {
  readonly ctx: RequestContext;
  /** The change's own transaction: everything is as the change leaves it. */
  readonly tx: Transaction;
  readonly projectId: string;
  readonly reason: string | undefined;
  /** What the settings of the project rule. */
  readonly policy: ProjectPolicy | undefined;
  readonly objects: readonly ObjectDiff[];
}

/**
 * Reads how everything that a change touched looks by now, kind by kind.
 * @param policyOf what rules the project that is written
 * @throws InventoryError 400 for more variables than a resource may have
 */
export async function diffChange(
  change: ChangeSet,
  policyOf: (projectId: string) => Promise<ProjectPolicy | undefined>,
): Promise<ChangeDiff> {
  const objects: ObjectDiff[] = [];
  for (const group of groupByShape(change.trackedResources)) {
    const [first] = group;
    if (!first) continue;
    const alive = group.filter((touched) => !touched.deleted).map((touched) => touched.id);
    const after =
      alive.length > 0
        ? await change.currentStates(first.shape, first.projectId, alive)
        : new Map<number, Snapshot>();
    for (const touched of group)
      objects.push(describeOne(touched, after.get(touched.id), change.ctx.visibility));
  }
  const { ctx, tx, reason } = change;
  const projectId = projectOf(change.trackedResources);
  return { ctx, tx, reason, projectId, policy: change.policy ?? (await policyOf(projectId)), objects };
}

/**
 * Nobody alters a variable that he does not see. Services refuse the keys that a request names before they read
 * anything; this holds what no request names, such as the values that a revert would bring back. Deleting a resource
 * takes its variables along, whoever sees them.
 * @throws InventoryError 403 that names no key
 */
export function assertVisible({ ctx, objects }: ChangeDiff): void {
  if (ctx.visibility.seesEverything) return;
  const isHidden = ({ key }: VariableChange): boolean => !ctx.visibility.sees(JSON.parse(key) as string);
  if (objects.some(({ action, variables }) => action !== 'delete' && variables.some(isHidden)))
    throw new InventoryError('forbidden', 'This would alter variables that are private in this project.');
}

function describeOne(
  touched: TrackedResource,
  after: Snapshot | undefined,
  visibility: Visibility,
): ObjectDiff {
  const { shape, id, before } = touched;
  assertVariablesSize(shape.kind, before?.variables, after?.variables, visibility);
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

function projectOf(touched: readonly TrackedResource[]): string {
  const [first] = touched;
  if (!first) throw new Error('a change that touched nothing');
  const { projectId } = first;
  if (touched.some((one) => one.projectId !== projectId))
    throw new Error('a change that touches two projects');
  return projectId;
}

/** What is of one shape, together. */
export function groupByShape<T extends { readonly shape: ResourceShape }>(all: readonly T[]): Iterable<T[]> {
  const groups = new Map<ResourceShape, T[]>();
  for (const one of all) {
    const group = groups.get(one.shape);
    if (group) group.push(one);
    else groups.set(one.shape, [one]);
  }
  return groups.values();
}

function actionOf({ deleted, before }: TrackedResource): ChangeAction {
  if (deleted) return 'delete';
  return before ? 'update' : 'create';
}

/** How many resources a change has touched, by kind and what was done. They count once it is committed. */
export class ChangeCounts {
  private readonly counts = new Map<string, { kind: string; action: string; resources: number }>();

  add(objects: readonly Pick<ObjectDiff, 'shape' | 'action'>[]): this {
    for (const { shape, action } of objects) {
      const key = `${shape.kind} ${action}`;
      const count = this.counts.get(key);
      if (count) count.resources++;
      else this.counts.set(key, { kind: shape.kind, action, resources: 1 });
    }
    return this;
  }

  /** To be called when there is nothing any more that could take the change back. */
  committed({ records, changed }: AppMetrics): void {
    records.inc();
    for (const { resources, ...labels } of this.counts.values()) changed.inc(labels, resources);
  }
}
