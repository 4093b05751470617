import type { PointInTime } from '../changes/point-in-time';
import { prefixFilter, uuidFilter, type ListFilter } from '../list/list-filter';
import type { CommonParameter, ListParameters, ResourceListParameters } from '../list/list-query';
import type { Sql } from '../database/sql';
import type { ProjectScope } from '../core/context/request-context';
import type { Branch, AccessPath } from '../list/list-request';
import type { ResourceShape } from '../database/resource-shape';
import { inheritsVariables, type Inheritance } from '../variables/levels';

/** What a list asks the database for, before it is paged. */
export interface ListSelection {
  readonly conditions: readonly Sql[];
  readonly branches?: readonly Branch[];
  readonly match?: Sql;
  readonly accessPaths?: readonly AccessPath[];
  readonly members?: Sql;
}

/** A resource as readers see it: its shape, what it inherits, and how its lists can be narrowed. */
export interface ResourceDefinition {
  readonly shape: ResourceShape;
  readonly inheritance: Inheritance;
  /** Beside `uuid` and `name_prefix`, which every list of what has them takes. */
  readonly filters: readonly ListFilter[];
  /** Whether answers show its variables. */
  readonly showsVariables: boolean;
  /** Whether its lists can be filtered by `vars`. */
  readonly filtersVariables: boolean;
  /** How answers link to the resource above, as SQL for `collection/id`; absent: they carry no links. */
  readonly up?: string;
  /** What of it is not in its own change records, as it was at a moment: SQL over the `t` of `fromPast`. */
  readonly past?: {
    /** Derived members. */
    readonly members?: Readonly<Record<string, (at: PointInTime) => Sql>>;
    /** How answers linked to the resource above, for `collection/id`. */
    readonly up?: () => Sql;
  };
  /** Set for what never changes: it cannot be asked for as of a moment. */
  readonly timeless?: true;
  /** The further truth value that widens a selection: `descendants`. */
  readonly widen?: {
    readonly parameter: string;
    readonly description: string;
    readonly selection: (
      shape: ResourceShape,
      scope: ProjectScope,
      selection: ListSelection,
    ) => ListSelection;
  };
}

/** Every member that answers show, in order. */
export function shownMembers(listing: ResourceDefinition): string[] {
  const { shape, showsVariables, up } = listing;
  return [
    ...Object.keys(shape.fields),
    ...(showsVariables ? ['variables'] : []),
    ...(up === undefined ? [] : ['links']),
  ];
}

const PAGING: readonly CommonParameter[] = [
  'limit',
  'marker',
  'sort_keys',
  'sort_dir',
  'fields',
  'project_id',
];

/** A project's UUID is its id, which has the index. */
const byUuid = ({ fields, idType }: ResourceShape): ListFilter[] =>
  fields['uuid'] ? [uuidFilter(idType === 'uuid' ? 't.id' : 't.uuid')] : [];

/** By how the name begins, of what is called by one: for who types a name and would see which there are. */
function byPrefix({ fields, nameField }: ResourceShape): ListFilter[] {
  const name = fields[nameField]?.sort;
  return fields['uuid'] && name?.type === 'text'
    ? [prefixFilter('name_prefix', `Those whose ${nameField} begins so.`, 'a', name.column)]
    : [];
}

/** The query parameters that say which resources of a list are meant, and nothing about how they are shown. */
export const selectingParameters = ({
  shape,
  filters,
  filtersVariables,
  widen,
}: ResourceDefinition): ListParameters => ({
  members: [],
  filters: [...byUuid(shape), ...byPrefix(shape), ...filters],
  common: [],
  others: [
    ...(filtersVariables ? [{ name: 'vars', repeatable: true as const }] : []),
    ...(widen ? [{ name: widen.parameter }] : []),
  ],
});

/** The query parameters of a resource's list. */
export function listParameters(listing: ResourceDefinition): ResourceListParameters {
  const { filters, others } = selectingParameters(listing);
  return {
    shape: listing.shape,
    members: shownMembers(listing),
    filters,
    common: listing.showsVariables ? [...PAGING, 'resolved-values'] : PAGING,
    others: [...others, ...(inheritsVariables(listing.inheritance) ? [{ name: 'explain' }] : [])],
  };
}
