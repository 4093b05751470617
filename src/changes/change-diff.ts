import type { AppMetrics } from '../core/app-metrics';
import type { ProjectPolicy } from '../auth/project-policies';
import type { AppliedProposal, RequestContext } from '../core/context/request-context';
import type { Visibility } from '../core/context/variable-keys';
import { InventoryError } from '../core/errors';
import type { Transaction } from '../database/database';
import type { ResourceMapping } from '../database/resource-mapping';
import type { ChangeSet } from './change-set';
import {
  type CreatedState,
  membersIn,
  type SnapshotOrCreated,
  type Snapshot,
  type TrackedResource,
} from './resource-snapshot';
import { membersOf, membersOfRow, type DocumentMembers } from '../core/json/json-text';
import { visibleDocument } from '../core/json/visible-document';

/** The change of one variable. The values are JSON texts; undefined where the key is not set. */
export interface VariableChange {
  /** The key as a JSON string. */
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const EMPTY_DOCUMENT = '{}';

/** Compares two documents key by key. Values are compared as PostgreSQL's output texts, without parsing. */
function variableChanges(before = EMPTY_DOCUMENT, after = EMPTY_DOCUMENT): VariableChange[] {
  return before === after ? [] : memberChanges(membersOf(before), membersOf(after));
}

/** Like `variableChanges`, for documents that are already split into members. */
export function memberChanges(old: DocumentMembers, now: DocumentMembers): VariableChange[] {
  if (old === now) return [];
  const changes: VariableChange[] = [];
  for (const [key, value] of now)
    if (old.get(key) !== value) changes.push({ key, before: old.get(key), after: value });
  for (const [key, value] of old) if (!now.has(key)) changes.push({ key, before: value, after: undefined });
  return changes;
}

/** Both sides of every changed variable, as the JSON text in a change record. */
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

/** The maximum size in bytes of one resource's variables, counting only those that the caller may see. */
const MAX_BYTES = 1024 * 1024;
/**
 * The maximum including hidden variables. One limit for both would reveal the size of the hidden ones to the caller.
 */
const MAX_BYTES_WITH_HIDDEN = 2 * MAX_BYTES;

/**
 * Limits the size of one resource's variables. A document that already exceeds the limit may shrink or stay the same: a
 * caller who sees fewer of the variables may have added to it.
 * @param kind the resource's kind
 * @throws InventoryError 400
 */
function assertVariablesSize(
  kind: string,
  before = EMPTY_DOCUMENT,
  after = EMPTY_DOCUMENT,
  visibility: Visibility,
): void {
  // The first two checks avoid counting bytes.
  if (before === after || after.length * 3 <= MAX_BYTES || Buffer.byteLength(after) <= MAX_BYTES) return;
  const visible = (document: string): string => visibleDocument(document, visibility);
  if (!exceeds(MAX_BYTES, visible(before), visible(after)) && !exceeds(MAX_BYTES_WITH_HIDDEN, before, after))
    return;
  throw InventoryError.invalid(
    'variables',
    'too_long',
    `the variables of one ${kind} must not exceed 1 MiB in total`,
  );
}

function exceeds(maxBytes: number, before: string, after: string): boolean {
  const bytes = Buffer.byteLength(after);
  return bytes > maxBytes && bytes > Buffer.byteLength(before);
}

/** What a change did to a resource. */
export type ChangeAction = 'create' | 'update' | 'delete';

/** Everything that a change did to one resource. */
export interface ObjectDiff {
  readonly mapping: ResourceMapping;
  /** 0 for a project: `projectId` identifies it. */
  readonly id: number;
  /** The current name, or the name at deletion. */
  readonly name: string;
  readonly action: ChangeAction;
  readonly before: Snapshot | undefined;
  /** Without its members if a part of a large change created the resource: see `storePart`. */
  readonly after: SnapshotOrCreated | undefined;
  /** Computed when they are first read: most created resources of a large change need them for no check. */
  readonly variables: readonly VariableChange[];
}

/** What a change did, resource by resource. It is neither recorded nor committed yet. */
export interface ChangeDiff {
  readonly ctx: RequestContext;
  /** The change's own transaction, which sees the result of the change. */
  readonly tx: Transaction;
  readonly projectId: string;
  readonly reason: string | undefined;
  /** The policy in the project's settings. */
  readonly policy: ProjectPolicy | undefined;
  readonly objects: readonly ObjectDiff[];
  /** Why an admin passed the rules for approvals that the change meets. */
  readonly override?: string | undefined;
  /** The proposal that the change applies: its approvals can satisfy the rules of the project. */
  readonly proposal?: AppliedProposal | undefined;
  /** The ids of the changes that it reverts. */
  readonly reverts?: readonly number[];
  /** Whether an earlier statement of the change has taken the lock of the project's definitions, shared. */
  readonly holdsDefinitionLock?: boolean;
}

/**
 * Reads the current state of everything that a change touched, kind by kind.
 * @param policyOf returns the policy of the project that is written
 * @param isPart whether the change is recorded by `storePart`: then created resources are not read
 * @throws InventoryError 400 if the variables of a resource exceed the maximum size
 */
export async function diffChange(
  change: ChangeSet,
  policyOf: (projectId: string) => Promise<ProjectPolicy | undefined>,
  isPart = false,
): Promise<ChangeDiff> {
  const objects: ObjectDiff[] = [];
  for (const group of groupByMapping(change.trackedResources)) {
    const [first] = group;
    if (!first) continue;
    const { mapping, projectId } = first;
    const existing = group.filter((touched) => !touched.deleted);
    const read = isPart ? existing.filter(({ before }) => before) : existing;
    const after: ReadonlyMap<number, Snapshot> =
      read.length > 0 ? await change.writer.current(mapping, projectId, idsOf(read)) : new Map();
    for (const touched of group) {
      const state = isPart && !touched.before ? requireCreatedState(touched) : after.get(touched.id);
      objects.push(diffOne(touched, state, change.ctx.visibility));
    }
  }
  const { ctx, tx, reason, holdsDefinitionLock, reverts } = change;
  const projectId = projectOf(change);
  const policy = change.policy ?? (await policyOf(projectId));
  return { ctx, tx, reason, projectId, policy, objects, holdsDefinitionLock, reverts };
}

const idsOf = (resources: readonly TrackedResource[]): number[] => resources.map(({ id }) => id);

function requireCreatedState({ mapping, id, createdState }: TrackedResource): CreatedState {
  if (createdState) return createdState;
  throw new Error(`a part of a large change created ${mapping.kind} ${String(id)} without saying its state`);
}

function diffOne(
  touched: TrackedResource,
  after: SnapshotOrCreated | undefined,
  visibility: Visibility,
): ObjectDiff {
  const { mapping, id, before } = touched;
  let variables: readonly VariableChange[] | undefined;
  assertVariablesSize(mapping.kind, before?.variables, after?.variables, visibility);
  return {
    mapping,
    id,
    name: (after ?? before)?.name ?? '',
    action: actionOf(touched),
    before,
    after,
    get variables() {
      return (variables ??= variableChanges(before?.variables, after?.variables));
    },
  };
}

/** The members that every write of a resource sets. */
const SET_BY_EVERY_WRITE = ['"version"', '"updated_at"'];

/** Whether a change leaves everything that it touched as it was, apart from versions and times. Texts are compared. */
export const changesNothing = ({ objects }: Pick<ChangeDiff, 'objects'>): boolean =>
  objects.every(isUnchanged);

function isUnchanged({ action, before, after, variables }: ObjectDiff): boolean {
  if (action !== 'update' || variables.length > 0 || !before || !after) return false;
  if (before.labelIds?.join() !== after.labelIds?.join()) return false;
  const isOther = ({ key }: VariableChange) => !SET_BY_EVERY_WRITE.includes(key);
  return !memberChanges(membersOfRow(before.members), membersOfRow(membersIn(after))).some(isOther);
}

function projectOf({ trackedResources: touched, hasParts, ctx }: ChangeSet): string {
  const [first] = touched;
  // The parts can have undone each other.
  if (!first && hasParts) return ctx.projectId;
  if (!first) throw new Error('the change touched no resources');
  const { projectId } = first;
  if (touched.some((one) => one.projectId !== projectId)) throw new Error('the change touches two projects');
  return projectId;
}

/** Groups items by mapping, in the order in which the mappings first occur. */
export function groupByMapping<T extends { readonly mapping: ResourceMapping }>(
  all: readonly T[],
): Iterable<T[]> {
  const groups = new Map<ResourceMapping, T[]>();
  for (const one of all) {
    const group = groups.get(one.mapping);
    if (group) group.push(one);
    else groups.set(one.mapping, [one]);
  }
  return groups.values();
}

function actionOf({ deleted, before }: TrackedResource): ChangeAction {
  if (deleted) return 'delete';
  return before ? 'update' : 'create';
}

/** How many resources a change touched, by kind and action. They are added to the metrics after the commit. */
export class TouchedResourceCounts {
  private readonly counts = new Map<string, { kind: string; action: string; resources: number }>();

  add(objects: readonly Pick<ObjectDiff, 'mapping' | 'action'>[]): this {
    for (const { mapping, action } of objects) {
      const key = `${mapping.kind} ${action}`;
      const count = this.counts.get(key);
      if (count) count.resources++;
      else this.counts.set(key, { kind: mapping.kind, action, resources: 1 });
    }
    return this;
  }

  /** How many resources the change created and updated. */
  get written(): { readonly created: number; readonly updated: number } {
    const sum = (action: ChangeAction) =>
      [...this.counts.values()].reduce((all, one) => all + (one.action === action ? one.resources : 0), 0);
    return { created: sum('create'), updated: sum('update') };
  }

  /** Called after the commit. */
  report({ records, changed }: AppMetrics): void {
    records.inc();
    for (const { resources, ...labels } of this.counts.values()) changed.inc(labels, resources);
  }
}
