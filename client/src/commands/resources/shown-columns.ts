import type { MemberDescription, ResourceDescription } from '../../api/resource-description';
import { resources } from '../../api/resources';
import { usage } from '../../failures';
import type { Format } from '../../output/output';
import { allDevices, KIND } from './all-devices';

/** A column with the name of what a member refers to by id: `region` of `region_id`. */
export interface Reference {
  readonly column: string;
  readonly member: string;
  readonly kind: string;
}

/** What is shown of resources. */
export interface Shown {
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
export const shownAlone = (resource: ResourceDescription): Shown =>
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
