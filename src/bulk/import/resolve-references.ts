import type { RequestContext } from '../../core/context/request-context';
import { InventoryError, validationError } from '../../core/errors';
import { type ImportLine, type LineGroup, lineGroups, lineName } from './line-kinds';
import { assertCanCreate, identityOf } from './line-check';
import {
  combineFaults,
  FaultyReferenceError,
  type MissingLocation,
  MissingLocationError,
} from './import-report';
import type { ImportStaging } from './import-staging';
import type { Queryable } from '../../database/queryable';
import { raw, sql, textArray, type Sql } from '../../database/sql';
import type { ErrorDetail } from '../../core/error-details';

/** The ids of the existing resources that a line names; null if they do not exist. */
export interface LookupResult {
  [column: string]: unknown;
  /** The id of the resource of the line. */
  readonly id: number | null;
  /** The version of the resource; null if it does not exist. */
  readonly version: number | null;
  /** The kind of an existing device. */
  readonly kind?: string | null;
  readonly cloud_id?: number | null;
  readonly region_id?: number | null;
  readonly cell_id?: number | null;
  readonly parent_id?: number | null;
  /** The current region of a device. */
  readonly in_region?: number | null;
  /** The current cell of a device. */
  readonly in_cell?: number | null;
}

/** Looks up the resources that lines name, with one query. @returns one result per line, in order */
export async function lookUpExisting(
  on: Queryable,
  projectId: string,
  group: LineGroup,
  lines: readonly ImportLine[],
): Promise<LookupResult[]> {
  const values = (member: string) =>
    textArray(lines.map(({ body }) => (typeof body[member] === 'string' ? body[member] : null)));
  return on.rows<LookupResult>(sql`${lookupStatement(group, projectId, values)} ORDER BY l.n`);
}

type MemberValues = (member: string) => ReturnType<typeof textArray>;

function lookupStatement(group: LineGroup, projectId: string, values: MemberValues): Sql {
  if (group === lineGroups.devices) return deviceLookup(projectId, values);
  if (group === lineGroups.cells) return cellLookup(projectId, values);
  const { table, name } = group;
  return sql`SELECT t.id, t.version, ${idByName('clouds', projectId, sql`l.cloud`)} AS cloud_id
    FROM unnest(${values(name)}::text[], ${values('cloud')}::text[]) WITH ORDINALITY AS l (name, cloud, n)
    LEFT JOIN LATERAL (SELECT o.id, o.version FROM ${raw(table)} o
      WHERE o.project_id = ${projectId} AND o.${raw(name)} = l.name OFFSET 0) AS t ON true`;
}

/**
 * The id of the resource with a name. A subquery is an index lookup per line. The planner would choose a join by the
 * number of rows, but the statistics of tables that this transaction fills are wrong.
 */
const idByName = (table: string, projectId: string, name: Sql): Sql =>
  sql`(SELECT o.id FROM ${raw(table)} o WHERE o.project_id = ${projectId} AND o.name = ${name})`;

const cellLookup = (projectId: string, values: MemberValues): Sql => sql`
  SELECT r.id AS region_id, t.id, t.version
  FROM (
    SELECT l.name, l.n, ${idByName('regions', projectId, sql`l.region`)} AS id
    FROM unnest(${values('name')}::text[], ${values('region')}::text[]) WITH ORDINALITY AS l (name, region, n) OFFSET 0
  ) AS r CROSS JOIN LATERAL (SELECT r.name, r.n) AS l
  LEFT JOIN LATERAL (SELECT c.id, c.version FROM cells c
    WHERE c.project_id = ${projectId} AND c.region_id = r.id AND c.name = l.name OFFSET 0) AS t ON true`;

/** A cell is looked up in the region that the line names, or else in the current region of the device. */
const deviceLookup = (projectId: string, values: MemberValues): Sql => sql`
  SELECT t.id, t.version, t.kind, t.region_id AS in_region, t.cell_id AS in_cell, r.region_id,
    (SELECT c.id FROM cells c WHERE c.project_id = ${projectId} AND c.name = l.cell
      AND c.region_id = CASE WHEN l.region IS NULL THEN t.region_id ELSE r.region_id END) AS cell_id,
    ${idByName('devices', projectId, sql`l.parent`)} AS parent_id
  FROM unnest(${values('name')}::text[], ${values('region')}::text[], ${values('cell')}::text[], ${values('parent')}::text[])
    WITH ORDINALITY AS l (name, region, cell, parent, n)
  LEFT JOIN LATERAL (
    SELECT d.id, d.version, d.kind, d.region_id, d.cell_id FROM devices d
    WHERE d.project_id = ${projectId} AND d.name = l.name OFFSET 0
  ) AS t ON true
  CROSS JOIN LATERAL (SELECT ${idByName('regions', projectId, sql`l.region`)} AS region_id OFFSET 0) AS r`;

/** A line with the ids of its resource and of the resources that it names. */
export interface ResolvedLine {
  readonly line: ImportLine;
  readonly id: number;
  readonly isNew: boolean;
  /** The ids of the referenced resources by column; null if the line names none. */
  readonly references: Readonly<Record<string, number | null>>;
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
  const findLine = (identity: string): ReferencedLine | undefined => {
    const number = named.get(identity);
    return number === undefined
      ? undefined
      : {
          number,
          isFaulty: failedLines.has(number) || staging.report.isFaulty(number),
          isCreated: staging.report.isCreated(number),
        };
  };
  const missing = (line: ImportLine, member: string, name: string): InventoryError =>
    referenceMissing(line, member, name, findLine, (group) => staging.hasUnidentifiedLines(group));
  for (const [i, line] of lines.entries()) {
    const existing = found[i];
    if (!existing) throw new Error('a line was not looked up');
    try {
      assertPreconditions(line, existing);
      if (wouldCreate(line, existing)) assertCanCreate(ctx, line.kind);
      const { references, faults } = resolveLine(line, existing, newDevices, missing);
      const error = combineFaults([
        ...(wouldCreate(line, existing) ? missingMembers(line) : []),
        ...faults,
        ...inconsistencies(line, existing, references),
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
      const name = line.body[member];
      if (typeof name !== 'string' || typeof found[i]?.[column] === 'number') return [];
      const { region } = line.body;
      return [
        referencedIdentity(line, member, name) ?? [],
        member === 'cell' && typeof region === 'string' ? identityOf(lineGroups.regions, region) : [],
      ].flat();
    }),
  );

type References = Record<string, number | null>;

/** The line of a resource that another line references. */
interface ReferencedLine {
  readonly number: number;
  readonly isFaulty: boolean;
  readonly isCreated: boolean;
}

/** The references of a line, and a fault (405) for each resource that does not exist. If the region does not, its cell has none of its own. */
function resolveLine(
  line: ImportLine,
  found: LookupResult,
  newDevices: ReadonlyMap<string, number>,
  missing: (line: ImportLine, member: string, name: string) => InventoryError,
): { references: References; faults: InventoryError[] } {
  const { kind, body } = line;
  const references: References = {};
  const faults: InventoryError[] = [];
  const isRegionMissing = typeof body['region'] === 'string' && foundId(found, 'region_id') === undefined;
  for (const { member, column } of kind.group.references) {
    const name = body[member];
    references[column] = null;
    if (typeof name !== 'string') continue;
    const id = foundId(found, column) ?? (member === 'parent' ? newDevices.get(name) : undefined);
    if (id !== undefined) references[column] = id;
    else if (!(member === 'cell' && isRegionMissing)) faults.push(missing(line, member, name));
  }
  return { references, faults };
}

/** @throws InventoryError 412 for a resource that does not have the id or the version of the line */
function assertPreconditions({ kind, body }: ImportLine, { id, version }: LookupResult): void {
  for (const [member, found, what] of [
    ['if_id', id, 'has the id'],
    ['if_version', version, 'is at version'],
  ] as const) {
    const expected = body[member];
    if (expected === undefined || expected === found) continue;
    const message =
      found === null
        ? `there is no ${kind.mapping.kind} with this name`
        : `the ${kind.mapping.kind} ${what} ${String(found)} now`;
    throw new InventoryError('version_mismatch', `${member}: ${message}`, [
      { field: member, code: 'version_mismatch', message },
    ]);
  }
}

/** Names are unique among devices of all kinds. */
const hasOtherKind = ({ kind }: ImportLine, found: LookupResult): boolean =>
  typeof found.kind === 'string' && found.kind !== kind.mapping.kind;

/** Whether a line would create its resource; also if a device of another kind has the name, which is an error. */
const wouldCreate = (line: ImportLine, found: LookupResult): boolean =>
  found.id === null || hasOtherKind(line, found);

/** What of a line contradicts its resource: 405, or 409 for a name of another kind. */
function inconsistencies(line: ImportLine, found: LookupResult, references: References): InventoryError[] {
  if (found.id === null) return [];
  if (hasOtherKind(line, found)) return [nameTaken(found)];
  return [
    ...(references['parent_id'] === found.id ? [ownParent()] : []),
    ...cellFaults(line, found, references),
  ];
}

const ownParent = (): InventoryError =>
  InventoryError.validationException('parent', 'inconsistent', 'a device cannot be its own parent');

function nameTaken({ kind }: LookupResult): InventoryError {
  const message = `a ${String(kind)} has this name already`;
  return new InventoryError('conflict', `name: ${message}`, [{ field: 'name', code: 'duplicate', message }]);
}

function foundId(found: LookupResult, column: string): number | undefined {
  const id = found[column];
  return typeof id === 'number' ? id : undefined;
}

/** @param hasUnidentifiedLines whether a line of which it is not known what it describes can be of a group */
function referenceMissing(
  line: ImportLine,
  member: string,
  name: string,
  findLine: (identity: string) => ReferencedLine | undefined,
  hasUnidentifiedLines: (group: LineGroup) => boolean,
): InventoryError {
  if (member === 'parent' && name === lineName(line)) return ownParent();
  const what = `${member === 'parent' ? 'device' : member} ${JSON.stringify(name)}`;
  const identity = referencedIdentity(line, member, name);
  const referenced = identity === undefined ? undefined : findLine(identity);
  if (referenced?.isFaulty) return new FaultyReferenceError(member, what, referenced.number);
  // All other resources are written before the devices, and parents before their children.
  if (member === 'parent' && referenced)
    return InventoryError.validationException(
      'parent',
      'inconsistent',
      `the ${what} of line ${String(referenced.number)} is a descendant of this device`,
    );
  const message = `there is no ${what} in ${member === 'cell' ? regionText(line) : 'this project'}`;
  // Otherwise the line that creates it is to be corrected.
  if (hasUnidentifiedLines(referencedGroup(member)))
    return InventoryError.validationException(member, 'not_found', `${message}, or its line is invalid`);
  const locations = missingLocations(
    line,
    member,
    (region) => findLine(identityOf(lineGroups.regions, region))?.isCreated === true,
    hasUnidentifiedLines(lineGroups.cells),
  );
  return locations.length > 0
    ? new MissingLocationError(member, message, locations)
    : InventoryError.validationException(member, 'not_found', message);
}

/**
 * The regions and cells that do not exist because that of a member does not: without its region, there is no cell. A region that
 * another line creates may exist only until the import is rolled back.
 * @param mayLineCreateCell whether a line of which it is not known what it describes can create the cell
 */
function missingLocations(
  { body: { region, cell } }: ImportLine,
  member: string,
  isNewRegion: (region: string) => boolean,
  mayLineCreateCell: boolean,
): MissingLocation[] {
  if (typeof region !== 'string' || (member !== 'region' && member !== 'cell')) return [];
  return [
    ...(member === 'region' || isNewRegion(region) ? [{ kind: 'region', name: region } as const] : []),
    ...(typeof cell === 'string' && !mayLineCreateCell
      ? [{ kind: 'cell', region, name: cell } as const]
      : []),
  ];
}

/** The region of the cell that a line names. */
const regionText = ({ body: { region } }: ImportLine): string =>
  typeof region === 'string' ? `the region ${JSON.stringify(region)}` : 'the region of the device';

/** The group of the resources that a member references. */
function referencedGroup(member: string): LineGroup {
  if (member === 'parent') return lineGroups.devices;
  if (member === 'cloud') return lineGroups.clouds;
  return member === 'region' ? lineGroups.regions : lineGroups.cells;
}

/** The identity of a referenced resource; undefined for a cell in the current region of a device. */
function referencedIdentity({ body }: ImportLine, member: string, name: string): string | undefined {
  const group = referencedGroup(member);
  if (group !== lineGroups.cells) return identityOf(group, name);
  return typeof body['region'] === 'string' ? identityOf(group, body['region'], name) : undefined;
}

/** A fault (400) if a new resource lacks members. */
function missingMembers({ kind, body }: ImportLine): InventoryError[] {
  const details = kind.required
    .filter((member) => body[member] === undefined)
    .map((field): ErrorDetail => ({
      field,
      code: 'required',
      message: `must be given: there is no ${kind.mapping.kind} with this name`,
    }));
  return details.length === 0 ? [] : [validationError(details)];
}

/** A fault if a device moves to another region without its cell. */
function cellFaults(
  { body }: ImportLine,
  { in_region, in_cell }: LookupResult,
  { region_id }: References,
): InventoryError[] {
  if (typeof body['region'] !== 'string' || body['cell'] !== undefined) return [];
  if (in_cell === null || in_cell === undefined || in_region === region_id) return [];
  return [
    InventoryError.validationException(
      'cell',
      'required',
      'must be given, or null: the current cell of the device is not in this region',
    ),
  ];
}
