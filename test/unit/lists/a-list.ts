import { column, type ResourceMapping } from '../../../src/database/resource-mapping';
import { sql, type Sql } from '../../../src/database/sql';
import type { SortOrder } from '../../../src/lists/keyset';
import type { List } from '../../../src/lists/list';
import type { SourceUnion } from '../../../src/lists/source-union';
import type { Selection, Source } from '../../../src/lists/selection';

export const project = { project: '717e9a21-6e2d-44e0-bc84-8398563bda06' };
export const otherProject = { project: 'b1a2a1c4-54f0-4c44-9b5e-0a1d4ecf6c3e' };

export const mapping: ResourceMapping = {
  kind: 'box',
  collection: 'boxes',
  table: 'boxes',
  kindCondition: "t.kind = 'box'",
  idType: 'bigint',
  nameField: 'name',
  fields: {
    id: column('id', 'bigint'),
    name: column('name', 'text'),
    size: column('size', 'integer', { nullable: true }),
  },
  carriesVariables: false,
  usedBy: [],
};

const sortColumn = (name: string) => {
  const { sort } = mapping.fields[name] ?? {};
  if (!sort) throw new Error(`${name} is no sort key`);
  return sort;
};

export const orders = {
  id: { keys: [sortColumn('id')], descending: false },
  'id, backwards': { keys: [sortColumn('id')], descending: true },
  name: { keys: [sortColumn('name'), sortColumn('id')], descending: false },
  size: { keys: [sortColumn('size'), sortColumn('id')], descending: false },
} satisfies Record<string, SortOrder>;

const where = sql`matches(t)`;
const drivingRows = sql`levels AS s`;
const joined = {
  table: sql`marks m`,
  projectColumn: sql`m.project_id`,
  idColumn: sql`m.box_id`,
  where: sql`m.color = ${'red'}`,
};
const join = { kind: 'join', drivingRows: undefined, joined, where } as const;

/** A source of each kind. */
export const sources = {
  table: { kind: 'table', drivingRows: undefined, where },
  levels: { kind: 'table', drivingRows, where },
  join,
  'join for levels': { ...join, drivingRows },
  'look up': { ...join, kind: 'look up', isIncomplete: undefined },
  values: { ...join, kind: 'values', drivingRows, isIncomplete: sql`too_many(s)` },
  range: { kind: 'range', column: 't.name', drivingRows: undefined, where },
  unordered: { kind: 'unordered', drivingRows: undefined, where },
  blocks: { kind: 'blocks', drivingRows: undefined, where },
  'rechecked blocks': {
    kind: 'rechecked blocks',
    drivingRows: undefined,
    where,
    recheck: sql`rechecked(t)`,
    alternative: join,
  },
} satisfies Record<string, Source>;

/** What a test says of a filtered selection; the rest has defaults. */
export const filtered = (
  paths: readonly (readonly Source[])[],
  conditions: readonly Sql[] = [],
  inIdOrder?: Source,
): Selection => {
  const [first = { sources: [], match: sql`true` }, ...others] = paths.map((found, i) => ({
    sources: found,
    match: sql`${i} = 0`,
  }));
  return {
    kind: 'filtered',
    conditions,
    paths: [first, ...others],
    inIdOrder: inIdOrder && [inIdOrder],
    byValues: undefined,
    candidates: undefined,
    planning: 'custom',
  };
};

export const aList = (list: Partial<List>): List => ({
  mapping,
  selections: [{ scope: project, selection: { kind: 'table', conditions: [] } }],
  order: orders.id,
  limit: 10,
  marker: undefined,
  readable: sql`readable(t)`,
  deleted: undefined,
  select: { body: sql`json(t)`, columns: sql`t.version`, joins: sql`JOIN owners o ON o.id = t.owner` },
  ...list,
});

export const aUnion = (union: Partial<SourceUnion>): SourceUnion => ({
  mapping,
  scope: project,
  sources: [sources.table],
  conditions: [],
  ...union,
});

/** The text of a statement with its values in it, in one line. */
export const inlined = ({ text, values }: Sql): string =>
  text
    .replaceAll(/\$(\d+)/g, (_, number: string) => JSON.stringify(values[Number(number) - 1]))
    .replaceAll(/\s+/g, ' ')
    .trim();
