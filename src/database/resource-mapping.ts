import type { Abstract } from '@nestjs/common';
import { Column, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
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

/** One member of a resource as SQL over its row `t`. The SQL is a constant of the project, never input. */
export interface Field {
  /** An expression whose value PostgreSQL converts to the member's JSON. */
  readonly sql: string;
  readonly sort?: SortColumn;
  /** The same column in natural order: runs of digits by their value. The sort key has the suffix `:natural`. */
  readonly naturalSort?: SortColumn;
  /** Whether it is a time, to which a response may add the zone. */
  readonly isTime?: true;
  /** Computed from other resources. It is part of responses, but not of change records. */
  readonly derived?: true;
  /**
   * Removes from a current or recorded value what a caller may not see. Absent: all callers see the same value.
   */
  readonly redact?: (ctx: RequestContext, value: Sql) => Sql;
  /** The entity of the project that its value, an id, refers to; absent: it is no reference. */
  readonly references?: {
    readonly target: () => Abstract<object>;
    /** A further column that must be equal in both rows. */
    readonly shared?: string;
  };
}

/** Rows of other resources that prevent the deletion of a resource, and their name for the error message. */
export interface Usage {
  readonly table: string;
  readonly column: string;
  readonly pluralName: string;
}

/** The table with the labels of a kind of resource. */
export interface LabelTable {
  readonly table: string;
  /** The column with the id of the resource. */
  readonly owner: string;
}

/** The rows of a table that belong to one kind. */
export interface TableMapping {
  readonly table: string;
  /** A constant condition for the rows of the kind, if the table contains several kinds. */
  readonly kindCondition?: string;
  /** A query for the ids of all projects with rows, if they differ from the existing projects. */
  readonly projects?: string;
}

/**
 * How a resource is mapped to its table, and how its members are read with SQL. Lists, single responses and change records all use
 * it, so a resource looks the same everywhere.
 */
export interface ResourceMapping<M extends string = string> extends TableMapping {
  /** In the singular, as in change records and messages: `network-device`. */
  readonly kind: string;
  /** In the plural, as in paths and roles: `network-devices`. */
  readonly collection: string;
  readonly idType: 'bigint' | 'uuid';
  /** The member with the name for people. */
  readonly nameField: M;
  /** In the order of responses. */
  readonly fields: Readonly<Record<M, Field>>;
  readonly carriesVariables: boolean;
  /**
   * The keys of variables in its members, as SQL for an array of texts over its row as `jsonb`; absent: none. Callers
   * who may not see all of them do not see the resource.
   */
  readonly referencedVariableKeys?: (row: string) => string;
  /** A condition over its row `t` for the rows that the caller may see. Absent: all rows of the project. */
  readonly readableBy?: (ctx: RequestContext) => Sql;
  /** Absent: it has no labels. */
  readonly labels?: LabelTable;
  readonly usedBy: readonly Usage[];
  /**
   * An index that finds documents within one block of ids, if the database has it. Matches of medium frequency are read
   * with it in id order, one block at a time.
   */
  readonly blockIndex?: string;
}

const sortable = (name: string, type: SortType, nullable: boolean): SortColumn => ({
  column: `t.${name}`,
  type,
  nullable,
});

/** A column whose value is shown unchanged. */
export function column(name: string, type: SortType, options: { nullable?: true } = {}): Field {
  return { sql: `t.${name}`, sort: sortable(name, type, options.nullable === true) };
}

/** A text column that lists can also be sorted by in natural order. The index of that order has the same expression. */
export function naturalText(name: string): Field {
  const text = column(name, 'text');
  return {
    ...text,
    naturalSort: { column: `(t.${name} COLLATE natural_order)`, type: 'text', nullable: false },
  };
}

/** A point in time as text: UTC without a zone, with the database's microseconds. */
export const timestampText = (expression: string): string =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;

/** A point in time that lists are not sorted by. */
export const time = (expression: string): Field => ({ sql: timestampText(expression), isTime: true });

/** A point in time. */
export function timestamp(name: string, options: { nullable?: true } = {}): Field {
  return {
    ...time(`t.${name}`),
    sort: sortable(name, 'timestamptz', options.nullable === true),
  };
}

/** An IP address without a mask. */
export function address(name: string): Field {
  return { sql: `host(t.${name})`, sort: sortable(name, 'inet', false) };
}

/** A JSON column. Its numbers keep all digits. */
export const json = (name: string): Field => ({ sql: `t.${name}` });

/** The names of the labels of a resource, sorted by code point and joined by `,`. */
export function labelNames({ table, owner }: LabelTable): Field {
  return {
    sql: `COALESCE((SELECT string_agg(l.label, ',' ORDER BY l.label) FROM ${table} a
      JOIN labels l ON l.project_id = a.project_id AND l.id = a.label_id
      WHERE a.project_id = t.project_id AND a.${owner} = t.id), '')`,
  };
}

/** The first members of every resource. */
export const identityFields = {
  id: column('id', 'bigint'),
  uuid: column('uuid', 'uuid'),
  project_id: column('project_id', 'uuid'),
};

/** The last members of every resource. */
export const versionFields = {
  created_at: timestamp('created_at'),
  updated_at: timestamp('updated_at', { nullable: true }),
  version: column('version', 'bigint'),
};

/** The driver returns bigint as text. Ids are far below 2^53. */
export const bigintNumber = {
  to: (value: number | null | undefined) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/** The columns of everything that is changed by conditional updates. */
export abstract class VersionedEntity {
  @Column({ type: 'timestamptz', insert: false, update: false })
  created_at!: Date;

  @Column('timestamptz', { nullable: true })
  updated_at!: Date | null;

  @Column('bigint', { transformer: bigintNumber, default: 1 })
  version!: number;
}

/**
 * The columns of every stored resource. Members have the names of the API and of the table. Entities are used for
 * writes only; responses are read through the resource's mapping.
 */
export abstract class ResourceEntity extends VersionedEntity {
  @PrimaryColumn('uuid')
  project_id!: string;

  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'uuid', insert: false, update: false })
  uuid!: string;
}

/** A resource with variables, which are one JSON document in its row. */
export abstract class VariableOwnerEntity extends ResourceEntity {
  @Column('jsonb', { default: {} })
  variables!: object;
}
