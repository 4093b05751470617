import { asObject } from '../../api/exact-json';
import type { MemberDescription, ResourceDescription } from '../../api/resource-description';
import { resources } from '../../api/resources';
import { CliError, EXIT, usageError } from '../../cli-error';
import { allDevices, KIND_MEMBER } from './all-devices';
import type { Session } from '../session';
import { ReferenceNames } from '../../lookup/reference-names';
import { displayValue, printOne, type OutputFormat } from '../../output/formats';
import type { Row, Rows } from '../../output/rows';
import { isVariableKey } from '../import/variable-keys';
import { describeInvalidChoice, findClosest } from '../../text';

/** A column that shows the name of a referenced resource: `region` for `region_id`. */
export interface Reference {
  readonly column: string;
  readonly member: string;
  readonly kind: string;
}

/** The columns of a list or a resource. */
interface ColumnSelection {
  /** Members and names of referenced resources, in order. */
  readonly columns: readonly string[];
  /** The columns among them that are names of referenced resources. */
  readonly references: readonly Reference[];
}

/** The options that select columns. */
export interface ColumnOptions {
  readonly detail?: true;
  readonly fields?: string;
}

/** Members that tables show only if they are requested: long or rarely needed ones. */
const HIDDEN_IN_TABLES = new Set([
  'uuid',
  'project_id',
  'parent_id',
  'access_secret_id',
  'created_at',
  'updated_at',
  'version',
  'variables',
  'links',
]);

/** The references of a kind to resources with names: secrets have none. */
export function referencesOf({ fields, create, update }: ResourceDescription): Reference[] {
  const members = new Map([...create, ...update].map((member) => [member.name, member]));
  return [...members.values()].flatMap(({ name, refersTo }) =>
    refersTo !== undefined && fields.includes(name) && hasNames(refersTo)
      ? [{ column: name.replace(/_id$/, ''), member: name, kind: refersTo }]
      : [],
  );
}

const hasNames = (kind: string): boolean =>
  kind === allDevices.kind || resources.some((one) => one.kind === kind && one.nameMember !== null);

/**
 * The columns of a list. Tables show names instead of ids; other formats contain the members of the API, unless names are
 * requested. The service resolves variables only if `variables` is among the members.
 * @throws CliError for an unknown member
 */
export function listColumns(
  resource: ResourceDescription,
  format: OutputFormat,
  options: ColumnOptions,
): ColumnSelection {
  const references = referencesOf(resource);
  if (options.fields !== undefined) {
    if (options.detail) throw usageError('Use either --fields or --detail.');
    return requestedColumns(resource, references, options.fields.split(','));
  }
  if (format === 'name') return { columns: [resource.nameMember ?? 'id'], references: [] };
  if (format !== 'table')
    return {
      columns: resource.fields.filter((name) => options.detail || !['variables', 'links'].includes(name)),
      references: [],
    };
  if (options.detail) return tableColumns(resource, resource.fields, references);
  return tableColumns(resource, defaultFields(resource), references);
}

/** The columns of a single resource in a table: all members, with names instead of ids. */
const resourceColumns = (resource: ResourceDescription): ColumnSelection =>
  tableColumns(resource, resource.fields, referencesOf(resource));

/** The default columns of a table: identity, location and state. */
function defaultFields({ fields, create, update, isDevice }: ResourceDescription): string[] {
  const isLong = ({ name, type }: MemberDescription) => type === 'json' || (isDevice && name === 'note');
  const long = new Set([...create, ...update].filter(isLong).map(({ name }) => name));
  return fields.filter((name) => !HIDDEN_IN_TABLES.has(name) && !long.has(name));
}

/** Puts the id, the name and the kind first, and omits links, which repeat references. */
function tableColumns(
  { nameMember }: ResourceDescription,
  fields: readonly string[],
  references: readonly Reference[],
): ColumnSelection {
  const first = ['id', nameMember, KIND_MEMBER].filter(
    (name) => name !== null && fields.includes(name),
  ) as string[];
  const rest = fields.filter((name) => !first.includes(name) && name !== 'links');
  const columns = [...first, ...rest].map(
    (name) => references.find(({ member }) => member === name)?.column ?? name,
  );
  return { columns, references: usedReferences(references, columns) };
}

const usedReferences = (references: readonly Reference[], columns: readonly string[]): Reference[] =>
  references.filter(({ column }) => columns.includes(column));

function requestedColumns(
  resource: ResourceDescription,
  references: readonly Reference[],
  requested: readonly string[],
): ColumnSelection {
  const columns = requested.map((name) => name.trim()).filter((name) => name !== '');
  const known = [...resource.fields, ...references.map(({ column }) => column)];
  const unknown = columns.find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownMemberError(resource, columns, unknown, known);
  if (columns.length === 0) throw usageError('--fields must contain a member.');
  return { columns: [...new Set(columns)], references: usedReferences(references, columns) };
}

/** Says that a column is unknown, and how variables are shown if it can be one. */
function unknownMemberError(
  resource: ResourceDescription,
  columns: readonly string[],
  unknown: string,
  known: readonly string[],
): CliError {
  const message = describeInvalidChoice('member', unknown, known);
  if (!mayBeVariable(resource, unknown, known)) return usageError(message);
  const fields = new Set(columns.map((name) => (known.includes(name) ? name : 'variables')));
  const get = `muster vars get ${resource.kind} NAME ${variableKey(unknown)}`;
  return new CliError(message, EXIT.usageError, [
    `  For a variable: --fields ${[...fields].join(',')} shows all of them, and "${get}" shows one.`,
  ]);
}

/** Whether a name that is none of the known ones can be that of a variable. */
export const mayBeVariable = (
  { carriesVariables }: ResourceDescription,
  name: string,
  known: readonly string[],
): boolean => carriesVariables && isVariableKey(variableKey(name)) && findClosest(name, known) === undefined;

/** The key in `variables.kernel`, `vars.kernel` or `kernel`. */
const variableKey = (name: string): string => name.replace(/^(?:variables|vars)\./, '');

/** The members to request from the API for these columns. */
export function requiredMembers({ columns, references }: ColumnSelection): string[] {
  const members = columns.map((name) => references.find(({ column }) => column === name)?.member ?? name);
  return [...new Set(members)];
}

const BATCH_SIZE = 500;

/** Converts rows to the selected columns, and loads the names of referenced resources in batches. */
export async function* renderRows(
  rows: Rows,
  selection: ColumnSelection,
  { muster, project }: Session,
): AsyncGenerator<Row> {
  const names = new ReferenceNames(muster, project);
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH_SIZE) continue;
    yield* await selectCells(batch, selection, names);
    batch = [];
  }
  yield* await selectCells(batch, selection, names);
}

/** Converts a batch of rows to the selected columns. */
async function selectCells(
  rows: readonly Row[],
  selection: ColumnSelection,
  names: ReferenceNames,
): Promise<Row[]> {
  for (const { kind, member } of selection.references)
    await names.load(
      kind,
      rows.map((row) => row[member]),
    );
  return rows.map((row) =>
    Object.fromEntries(selection.columns.flatMap((column) => cellEntry(row, column, selection, names))),
  );
}

/** The name and value of a cell; empty if the row has no such member: kinds of devices differ. */
function cellEntry(
  row: Row,
  column: string,
  { references }: ColumnSelection,
  names: ReferenceNames,
): [string, unknown][] {
  const reference = references.find((one) => one.column === column);
  const member = reference?.member ?? column;
  if (!(member in row)) return [];
  const value = row[member];
  return [[column, reference && value !== null ? names.nameOf(reference.kind, value) : value]];
}

/**
 * Prints a resource that was written. Of its variables, a table shows those that the command has set: the response also has all others,
 * and the inherited ones.
 * @param body that of the request
 */
export async function printWrittenResource(
  session: Session,
  resource: ResourceDescription,
  commandKind: ResourceDescription,
  members: Row,
  body: Row,
): Promise<void> {
  const { variables, ...others } = members;
  const set = asObject(body['variables'] ?? {});
  const shown =
    session.format === 'table' && variables !== undefined
      ? { ...others, variables: pick(asObject(variables), Object.keys(set)) }
      : members;
  await printResource(session, resource, commandKind, shown);
}

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]));

/**
 * Prints a resource. A table shows names instead of ids.
 * @param resource the kind of the resource
 * @param commandKind the kind of the command: for `device`, the kind is printed, too
 */
export async function printResource(
  { muster, project, format }: Session,
  resource: ResourceDescription,
  commandKind: ResourceDescription,
  members: Row,
): Promise<void> {
  const row = commandKind.kind === resource.kind ? members : { [KIND_MEMBER]: resource.kind, ...members };
  const name = resource.nameMember ?? 'id';
  if (format !== 'table') return printOne(format, row, name);
  const { columns, references } = resourceColumns(resource);
  const [first = 'id', second = name, ...rest] = columns;
  const extra = 'api_key' in row ? ['api_key'] : [];
  const names = [first, second, ...(KIND_MEMBER in row ? [KIND_MEMBER] : []), ...rest, ...extra];
  const [selection = {}] = await selectCells(
    [row],
    { columns: names, references },
    new ReferenceNames(muster, project),
  );
  await printOne(format, { ...selection, ...displayCells(row), ...displayVariables(row) }, name, names);
}

/** The variables as `vars get` shows them. */
function displayVariables({ variables }: Row): Row {
  if (variables === undefined || variables === null) return {};
  const selection = Object.entries(asObject(variables)).map(([key, value]) => [
    key,
    displayValue('table', value),
  ]);
  return { variables: Object.fromEntries(selection) as Row };
}

/** The cells of a region, by name. */
function displayCells(row: Row): Row {
  const cells = row['cells'];
  if (!Array.isArray(cells)) return {};
  return { cells: cells.map((cell) => String(asObject(cell)['name'])).join(', ') };
}
