import type { Type } from '@nestjs/common';
import { addressSql } from '../../core/ip-address';
import type { LabelTable, ResourceMapping } from '../../database/resource-mapping';
import { type BulkTable, bulkTables, type LineMember, lineMembersOf } from '../line-members';
import { lineBody } from './import-line.dto';
import type { LineEntry } from './line-table';

/** A kind of resource that lines can describe. */
export interface LineKind {
  readonly mapping: ResourceMapping;
  readonly group: LineGroup;
  /** The DTO of its lines. */
  readonly dto: Type<object>;
  /** The members that a line of a new resource must have. */
  readonly required: readonly string[];
}

/** A column that a member of a line is written to. */
interface LineColumn {
  readonly column: string;
  /** The member, as SQL over the line `l.body`. */
  readonly value: string;
  /** The stored value to compare with, as SQL over its row `t`; by default the column itself. */
  readonly stored?: string;
  /** The value for a new resource whose line does not have the member. */
  readonly default?: string;
}

/** A column that references another resource. Lines contain its name. */
interface LineReference {
  readonly member: string;
  readonly column: string;
}

/** The kinds of one table. Their lines are written together. */
export interface LineGroup {
  readonly table: string;
  /** The member with the name of the resource. The column has the same name. */
  readonly name: string;
  /** The members that identify the resource of a line. */
  readonly identity: readonly string[];
  /** The DTO of each kind accepts only its own columns. */
  readonly columns: readonly LineColumn[];
  readonly references: readonly LineReference[];
  readonly carriesVariables: boolean;
  readonly labels?: LabelTable;
  /** Whether the table contains several kinds. */
  readonly hasSeveralKinds: boolean;
}

/** The value of a line for a column. */
function columnOf({ name, type, default: defaultValue }: LineMember, kinds: BulkTable['kinds']): LineColumn {
  const text = `l.body ->> '${name}'`;
  if (type === 'address') return { column: name, value: addressSql(text) };
  // A request can contain 12.0, too.
  if (type === 'integer') return { column: name, value: `(${text})::numeric::integer` };
  if (type === 'boolean')
    return {
      column: name,
      value: `(${text})::boolean`,
      ...(defaultValue === undefined ? {} : { default: defaultOf(name, defaultValue, kinds) }),
    };
  if (type === 'json')
    return {
      column: name,
      // A write of one resource stores an unset member as SQL NULL and a null as JSON null. Both are shown as null.
      value: `NULLIF(l.body -> '${name}', 'null')`,
      stored: `NULLIF(t.${name}, 'null')`,
    };
  return { column: name, value: text };
}

/** The default of a column, as SQL. It is null in rows of kinds that do not have the member. */
function defaultOf(name: string, value: boolean, kinds: BulkTable['kinds']): string {
  const having = kinds.filter(({ entity }) => lineMembersOf(entity).some((member) => member.name === name));
  if (having.length === kinds.length) return String(value);
  const names = having.map(({ mapping }) => `'${mapping.kind}'`).join(', ');
  return `CASE WHEN l.body ->> 'kind' IN (${names}) THEN ${String(value)} END`;
}

function lineGroup({ mapping, identity, kinds }: BulkTable): LineGroup {
  // Kinds share the members of all devices, and can share columns.
  const byName = new Map(
    kinds.flatMap(({ entity }) => lineMembersOf(entity).map((member) => [member.name, member] as const)),
  );
  const members = [...byName.values()];
  const isColumn = ({ name, type }: LineMember): boolean =>
    name !== mapping.nameField && type !== 'reference' && type !== 'labels';
  return {
    table: mapping.table,
    name: mapping.nameField,
    identity,
    columns: members.filter(isColumn).map((member) => columnOf(member, kinds)),
    references: members
      .filter(({ type }) => type === 'reference')
      .map(({ name, lineName }) => ({ member: lineName, column: name })),
    carriesVariables: mapping.carriesVariables,
    ...(mapping.labels ? { labels: mapping.labels } : {}),
    hasSeveralKinds: kinds.length > 1,
  };
}

const { clouds, labels, regions, cells, devices } = bulkTables;

/** In the order of the write: a resource follows those that it references. */
export const lineGroups = {
  clouds: lineGroup(clouds),
  labels: lineGroup(labels),
  regions: lineGroup(regions),
  cells: lineGroup(cells),
  devices: lineGroup(devices),
};

const writeOrder: readonly LineGroup[] = Object.values(lineGroups);

/** The position of a group in the order of the write. Devices, the last group, can have the following ones, too. */
export const rankOf = (group: LineGroup): number => writeOrder.indexOf(group);

const kindsOf = (table: BulkTable, group: LineGroup): LineKind[] =>
  table.kinds.map((kind) => ({
    mapping: kind.mapping,
    group,
    dto: lineBody(kind),
    required: lineMembersOf(kind.entity)
      .filter(({ isRequired, lineName }) => isRequired && !group.identity.includes(lineName))
      .map(({ lineName }) => lineName),
  }));

const allKinds: readonly LineKind[] = [
  ...kindsOf(clouds, lineGroups.clouds),
  ...kindsOf(labels, lineGroups.labels),
  ...kindsOf(regions, lineGroups.regions),
  ...kindsOf(cells, lineGroups.cells),
  ...kindsOf(devices, lineGroups.devices),
];

/** Every kind of line, by its `kind`. */
export const lineKinds: ReadonlyMap<string, LineKind> = new Map(
  allKinds.map((kind) => [kind.mapping.kind, kind]),
);

/** The kinds of lines whose resources have variables. */
export const KINDS_WITH_VARIABLES: readonly string[] = allKinds
  .filter(({ group }) => group.carriesVariables)
  .map(({ mapping }) => mapping.kind);

/** The member of a line that lists the variables to unset. */
export const UNSET_KEYS = 'unset_variables';

/** The member of a line whose numbers leave equal ones as they are: a cell has a number without zeros at the end of its fraction. */
export const KEEP_EQUAL_NUMBERS = 'keep_equal_numbers';

/** A validated line. */
export interface ImportLine extends LineEntry {
  readonly kind: LineKind;
  /** The parsed text. Numbers can have lost digits, so values are written from `text`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Parses a line that has been validated. */
export function parseLine<E extends LineEntry>(entry: E): E & ImportLine {
  const body = JSON.parse(entry.text) as Record<string, unknown>;
  const kind = lineKinds.get(String(body['kind']));
  if (!kind) throw new Error(`line ${String(entry.line)} was staged without a valid kind`);
  return { ...entry, kind, body };
}

/** The name of the resource of a line. */
export const lineName = ({ kind, body }: ImportLine): string => String(body[kind.group.name]);
