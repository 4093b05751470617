import type { MemberDescription, ResourceDescription } from '../../api/resource-description';
import { resources } from '../../api/resources';
import { usage } from '../../cli-error';
import { type Format, printOne, type Row, shownValue } from '../../output/formats';
import { allDevices, KIND } from './all-devices';
import { ReferenceNames } from '../../lookup/reference-names';
import type { Session } from '../session';
import { asObject } from '../../api/exact-json';

/** A column with the name of what a member refers to by id: `region` of `region_id`. */
export interface Reference {
  readonly column: string;
  readonly member: string;
  readonly kind: string;
}

/** What is shown of resources. */
interface Shown {
  /** The columns, in order: members, and names of what they refer to. */
  readonly columns: readonly string[];
  /** Those of them that are names. */
  readonly references: readonly Reference[];
}

/** What the options of a list say. */
export interface ColumnOptions {
  readonly detail?: true;
  readonly fields?: string;
}

/** What tables do not show unless they are asked to: it is long, or nothing that one looks for at first. */
const ASIDE = new Set([
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

/** The references of a kind, of which the names are known: secrets have none. */
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
 * What a list shows. Tables show names in place of ids; JSON and the like have the members of the API, unless names are
 * asked for. Without `variables` among the members none are resolved.
 * @throws Failure for a member that is not there
 */
export function shownInList(resource: ResourceDescription, format: Format, options: ColumnOptions): Shown {
  const references = referencesOf(resource);
  if (options.fields !== undefined) {
    if (options.detail) throw usage('--fields and --detail exclude each other.');
    return asAsked(resource, references, options.fields.split(','));
  }
  if (format === 'name') return { columns: [resource.nameMember ?? 'id'], references: [] };
  if (format !== 'table')
    return {
      columns: resource.fields.filter((name) => options.detail || !['variables', 'links'].includes(name)),
      references: [],
    };
  if (options.detail) return inTable(resource, resource.fields, references);
  return inTable(resource, usualIn(resource), references);
}

/** What a table shows of one resource: everything, with names in place of ids. */
const shownAlone = (resource: ResourceDescription): Shown =>
  inTable(resource, resource.fields, referencesOf(resource));

/** Few columns: who, where, and what it is. */
function usualIn({ fields, create, update, isDevice }: ResourceDescription): string[] {
  const isLong = ({ name, type }: MemberDescription) => type === 'json' || (isDevice && name === 'note');
  const long = new Set([...create, ...update].filter(isLong).map(({ name }) => name));
  return fields.filter((name) => !ASIDE.has(name) && !long.has(name));
}

/** The id, the name and the kind come first, and links are left out: they say what the names of others say. */
function inTable(
  { nameMember }: ResourceDescription,
  fields: readonly string[],
  references: readonly Reference[],
): Shown {
  const first = ['id', nameMember, KIND].filter((name) => name !== null && fields.includes(name)) as string[];
  const others = fields.filter((name) => !first.includes(name) && name !== 'links');
  const columns = [...first, ...others].map(
    (name) => references.find(({ member }) => member === name)?.column ?? name,
  );
  return { columns, references: inColumns(references, columns) };
}

const inColumns = (references: readonly Reference[], columns: readonly string[]): Reference[] =>
  references.filter(({ column }) => columns.includes(column));

function asAsked(
  resource: ResourceDescription,
  references: readonly Reference[],
  asked: readonly string[],
): Shown {
  const columns = asked.map((name) => name.trim()).filter((name) => name !== '');
  const known = [...resource.fields, ...references.map(({ column }) => column)];
  const unknown = columns.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw usage(`There is no member ${JSON.stringify(unknown)}. --fields takes: ${known.join(', ')}.`);
  if (columns.length === 0) throw usage('--fields names no member.');
  return { columns: [...new Set(columns)], references: inColumns(references, columns) };
}

/** The members that have to be asked for. */
export function membersFor({ columns, references }: Shown): string[] {
  const members = columns.map((name) => references.find(({ column }) => column === name)?.member ?? name);
  return [...new Set(members)];
}

/** So many rows get their names at once. */
const BATCH = 500;

/** The rows as they are shown: with the names of what they refer to, and with nothing that was not asked for. */
export async function* shownRows(
  rows: AsyncIterable<Row>,
  shown: Shown,
  { muster, project }: Session,
): AsyncGenerator<Row> {
  const names = new ReferenceNames(muster, project);
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield* await withNames(batch, shown, names);
    batch = [];
  }
  yield* await withNames(batch, shown, names);
}

/** Rows with the columns that are shown, those among them that are names looked up for all rows together. */
async function withNames(rows: readonly Row[], shown: Shown, names: ReferenceNames): Promise<Row[]> {
  for (const { kind, member } of shown.references)
    await names.load(
      kind,
      rows.map((row) => row[member]),
    );
  return rows.map((row) =>
    Object.fromEntries(shown.columns.flatMap((column) => cellOf(row, column, shown, names))),
  );
}

/** Nothing where the row does not have it: devices of another kind may. */
function cellOf(row: Row, column: string, { references }: Shown, names: ReferenceNames): [string, unknown][] {
  const reference = references.find((one) => one.column === column);
  const member = reference?.member ?? column;
  if (!(member in row)) return [];
  const value = row[member];
  return [[column, reference && value !== null ? names.of(reference.kind, value) : value]];
}

/**
 * Prints one resource: as it is, and in a table with names in place of ids.
 * @param resource its kind
 * @param asked the kind that the command is about: of devices of any kind, it is told which
 */
export async function printResource(
  { muster, project, format }: Session,
  resource: ResourceDescription,
  asked: ResourceDescription,
  members: Row,
): Promise<void> {
  const row =
    asked === resource || asked.kind === resource.kind ? members : { [KIND]: resource.kind, ...members };
  const name = resource.nameMember ?? 'id';
  if (format !== 'table') return printOne(format, row, { names: Object.keys(row), name });
  const { columns, references } = shownAlone(resource);
  const [first = 'id', second = name, ...others] = columns;
  const further = 'api_key' in row ? ['api_key'] : [];
  const names = [first, second, ...(KIND in row ? [KIND] : []), ...others, ...further];
  const [shown = {}] = await withNames(
    [row],
    { columns: names, references },
    new ReferenceNames(muster, project),
  );
  await printOne(format, { ...shown, ...cellNames(row), ...variablesIn(row) }, { names, name });
}

/** As `vars get` shows them: as JSON, so that a text and a number can be told apart. */
function variablesIn({ variables }: Row): Row {
  if (variables === undefined || variables === null) return {};
  const shown = Object.entries(asObject(variables)).map(([key, value]) => [key, shownValue('table', value)]);
  return { variables: Object.fromEntries(shown) as Row };
}

/** A region's cells come with their names. */
function cellNames(row: Row): Row {
  const cells = row['cells'];
  if (!Array.isArray(cells)) return {};
  return { cells: cells.map((cell) => String(asObject(cell)['name'])).join(', ') };
}
