import type { RequestContext } from '../core/context/request-context';
import type { Sql } from './sql';

/** The database types that lists are sorted by. */
type SortType = 'bigint' | 'integer' | 'uuid' | 'text' | 'boolean' | 'timestamptz' | 'inet';

/** A column that a list can be sorted by. */
export interface SortColumn {
  readonly column: string;
  readonly type: SortType;
  readonly nullable: boolean;
}

/** One member of a resource as SQL. The resource's row is `t`. These are the project's own constants, never input. */
export interface Field {
  /** An expression whose value PostgreSQL turns into the member's JSON. */
  readonly sql: string;
  readonly sort?: SortColumn;
  /** Put together from other resources: shown in answers, but no part of what a change record holds. */
  readonly derived?: true;
  /**
   * How its value, by now or in a record, is shown to one caller, where it does not look the same to everybody. Without
   * a caller it is shown as it is.
   */
  readonly seenBy?: (ctx: RequestContext, value: Sql) => Sql;
}

/** Rows of other resources that keep a resource from being deleted, and what to call them in the refusal. */
export interface Usage {
  readonly table: string;
  readonly column: string;
  readonly noun: string;
}

/** Where a kind of resource keeps its labels. */
export interface LabelTable {
  readonly table: string;
  /** The column for the resource. */
  readonly owner: string;
}

/** Rows of a table. */
export interface TableShape {
  readonly table: string;
  /** A constant condition for the rows of one kind, where the table holds several. */
  readonly only?: string;
  /** The ids of all projects with rows, as a query, where those are not just the projects that there are. */
  readonly projects?: string;
}

/**
 * What a resource is to SQL: where it is stored and how its members are read. Lists, single answers and change
 * records all read through it, so that a resource looks the same wherever it is shown.
 */
export interface ResourceShape<M extends string = string> extends TableShape {
  /** In the singular, as change records and messages name it: `network-device`. */
  readonly kind: string;
  /** In the plural, as paths and roles name it: `network-devices`. */
  readonly collection: string;
  readonly idType: 'bigint' | 'uuid';
  /** The member that names it to people. */
  readonly nameField: M;
  /** In the order in which answers show them. */
  readonly fields: Readonly<Record<M, Field>>;
  readonly carriesVariables: boolean;
  /**
   * The keys of variables that it names, as SQL for an array of texts over its row as `jsonb`; absent: none. Whoever
   * may not see all of them does not see it.
   */
  readonly namesKeys?: (row: string) => string;
  /** A condition over its row `t` for those that the caller may see, where not everybody sees all of a project's. */
  readonly readableBy?: (ctx: RequestContext) => Sql;
  /** Absent: it carries no labels. */
  readonly labels?: LabelTable;
  readonly usedBy: readonly Usage[];
  /**
   * An index that finds documents within one block of ids, where the database has it: what is neither frequent nor rare
   * is found a block at a time, in order.
   */
  readonly blockIndex?: string;
}

const sortable = (name: string, type: SortType, nullable: boolean): SortColumn => ({
  column: `t.${name}`,
  type,
  nullable,
});

/** A column that is shown as it is stored. */
export function column(name: string, type: SortType, options: { nullable?: true } = {}): Field {
  return { sql: `t.${name}`, sort: sortable(name, type, options.nullable === true) };
}

/** A point in time as text: UTC without a zone, with the database's microseconds. */
export const timestampText = (expression: string): string =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;

/** A point in time. */
export function timestamp(name: string, options: { nullable?: true } = {}): Field {
  return {
    sql: timestampText(`t.${name}`),
    sort: sortable(name, 'timestamptz', options.nullable === true),
  };
}

/** An IP address without a mask. */
export function address(name: string): Field {
  return { sql: `host(t.${name})`, sort: sortable(name, 'inet', false) };
}

/** A JSON column: shown digit by digit as it is stored. */
export const json = (name: string): Field => ({ sql: `t.${name}` });

/** The names of the labels that a resource carries, sorted by code point and joined by `,`. */
export function labelNames({ table, owner }: LabelTable): Field {
  return {
    sql: `COALESCE((SELECT string_agg(l.label, ',' ORDER BY l.label) FROM ${table} a
      JOIN labels l ON l.project_id = a.project_id AND l.id = a.label_id
      WHERE a.project_id = t.project_id AND a.${owner} = t.id), '')`,
  };
}

/** What every resource begins with … */
export const identityFields = {
  id: column('id', 'bigint'),
  uuid: column('uuid', 'uuid'),
  project_id: column('project_id', 'uuid'),
};

/** … and ends with. */
export const historyFields = {
  created_at: timestamp('created_at'),
  updated_at: timestamp('updated_at', { nullable: true }),
  version: column('version', 'bigint'),
};
