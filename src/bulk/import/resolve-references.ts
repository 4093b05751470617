import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import type { Queryable } from '../../database/queryable';
import { type LookupResult, lookUpExisting } from './existing-resources';
import type { ImportStaging } from './import-staging';
import { assertCanCreate, identityOf } from './line-check';
import {
  assertPreconditions,
  inconsistencies,
  missingMembers,
  type References,
  wouldCreate,
} from './line-conflicts';
import { combineFaults } from './line-faults';
import { type ImportLine, type LineGroup, lineGroups, lineName } from './line-kinds';
import { missingReference, type OtherLines } from './missing-references';

/** A line with the ids of its resource and of the resources that it names. */
export interface ResolvedLine {
  readonly line: ImportLine;
  readonly id: number;
  readonly isNew: boolean;
  readonly references: References;
}

/** A line that conflicts with the current inventory. */
export interface FailedLine {
  readonly line: number;
  readonly error: InventoryError;
}

interface ResolutionContext {
  readonly ctx: RequestContext;
  readonly staging: ImportStaging;
  /** Returns an id for a new resource. */
  readonly newId: () => number;
}

/** Resolves lines in order. A line can reference a device that an earlier line creates. */
export async function resolveReferences(
  { ctx, staging, newId }: ResolutionContext,
  lines: readonly ImportLine[],
  found: readonly LookupResult[],
): Promise<{ resolved: ResolvedLine[]; failed: FailedLine[] }> {
  const resolved: ResolvedLine[] = [];
  const failed: FailedLine[] = [];
  /** The new devices of the chunk. */
  const newDevices = new Map<string, number>();
  const failedLines = new Set<number>();
  const named = await staging.table.findLines(unresolvedIdentities(lines, found));
  const othersOf = (line: ImportLine): OtherLines => ({
    findLine: (member) => {
      const number = named.get(referencedIdentity(line, member) ?? '');
      if (number === undefined) return undefined;
      const isFaulty = failedLines.has(number) || staging.report.isFaulty(number);
      return { number, isFaulty, isCreated: staging.report.isCreated(number) };
    },
    hasUnidentifiedLines: (member) => staging.hasUnidentifiedLines(referencedGroup(member)),
  });
  for (const [i, line] of lines.entries()) {
    const existing = found[i];
    if (!existing) throw new Error('a line was not looked up');
    try {
      assertPreconditions(line, existing);
      if (wouldCreate(line, existing)) assertCanCreate(ctx, line.kind);
      const { references, faults } = resolveLine(line, existing, newDevices, othersOf(line));
      // What the earlier line did to its resource, or failed to do, is no fault of a duplicate.
      const isDuplicate = staging.isDuplicate(line.line);
      const error = combineFaults([
        ...(!isDuplicate && wouldCreate(line, existing) ? missingMembers(line) : []),
        ...faults,
        ...(isDuplicate ? [] : inconsistencies(line, existing, references)),
      ]);
      if (error) throw error;
      const id = existing.id ?? newId();
      if (existing.id === null && line.kind.group === lineGroups.devices) newDevices.set(lineName(line), id);
      resolved.push({ line, id, isNew: existing.id === null, references });
    } catch (error) {
      if (!(error instanceof InventoryError)) throw error;
      failed.push({ line: line.line, error });
      failedLines.add(line.line);
    }
  }
  return { resolved, failed };
}

/** The identities of the referenced resources that do not exist. Other lines of the chunk may create them. */
const unresolvedIdentities = (lines: readonly ImportLine[], found: readonly LookupResult[]): string[] =>
  lines.flatMap((line, i) =>
    line.kind.group.references.flatMap(({ member, column }) => {
      if (typeof line.body[member] !== 'string' || typeof found[i]?.[column] === 'number') return [];
      const members = member === 'cell' ? ['cell', 'region'] : [member];
      return members.flatMap((one) => referencedIdentity(line, one) ?? []);
    }),
  );

/** The group of the resources that a member references. */
function referencedGroup(member: string): LineGroup {
  if (member === 'parent') return lineGroups.devices;
  if (member === 'cloud') return lineGroups.clouds;
  return member === 'region' ? lineGroups.regions : lineGroups.cells;
}

/** The identity of a referenced resource; undefined if there is none, and for a cell in the current region of a device. */
function referencedIdentity({ body }: ImportLine, member: string): string | undefined {
  const [name, region] = [body[member], body['region']];
  if (typeof name !== 'string') return undefined;
  const group = referencedGroup(member);
  if (group !== lineGroups.cells) return identityOf(group, name);
  return typeof region === 'string' ? identityOf(group, region, name) : undefined;
}

/** The references of a line, and a fault (405) for each resource that does not exist. If the region does not, its cell has none of its own. */
function resolveLine(
  line: ImportLine,
  found: LookupResult,
  newDevices: ReadonlyMap<string, number>,
  others: OtherLines,
): { references: References; faults: InventoryError[] } {
  const { kind, body } = line;
  const references: Record<string, number | null> = {};
  const faults: InventoryError[] = [];
  const isRegionMissing = typeof body['region'] === 'string' && foundId(found, 'region_id') === undefined;
  for (const { member, column } of kind.group.references) {
    const name = body[member];
    references[column] = null;
    if (typeof name !== 'string') continue;
    const id = foundId(found, column) ?? (member === 'parent' ? newDevices.get(name) : undefined);
    if (id !== undefined) references[column] = id;
    else if (!(member === 'cell' && isRegionMissing))
      faults.push(missingReference(line, member, name, others));
  }
  return { references, faults };
}

function foundId(found: LookupResult, column: string): number | undefined {
  const id = found[column];
  return typeof id === 'number' ? id : undefined;
}

/**
 * Resolves the references of invalid lines, only to report what else is wrong with them: what they name can be missing. Other lines may
 * create it, so they must have been written.
 */
export async function resolveInvalidLines(
  on: Queryable,
  ctx: RequestContext,
  staging: ImportStaging,
): Promise<void> {
  for (const group of Object.values(lineGroups)) {
    const invalid = staging.linesToLookUp.filter(({ line }) => line.kind.group === group);
    if (invalid.length === 0) continue;
    const lines = invalid.map(({ line }) => line);
    const found = await lookUpExisting(on, ctx.projectId, group, lines);
    // Nothing is written, so new resources need no ids.
    const { failed } = await resolveReferences({ ctx, staging, newId: () => 0 }, lines, found);
    const others = new Map(failed.map(({ line, error }) => [line, error]));
    for (const { line, error } of invalid) {
      const other = others.get(line.line);
      // Also without another fault: an attempt before this one may have found one.
      staging.report.replaceInvalid(line.line, (other && combineFaults([error, other])) ?? error);
    }
  }
}
