import type { PointInTime } from '../changes/point-in-time';
import { prefixFilter, uuidFilter, type ListFilter } from '../lists/list-filter';
import type { CommonParameter, ListParameters, ResourceListParameters } from '../lists/list-query';
import type { Sql } from '../database/sql';
import type { ProjectScope } from '../core/context/request-context';
import type { Selection } from '../lists/selection';
import type { ResourceMapping } from '../database/resource-mapping';
import { FILTER_PARAMETERS } from '../variables/filter/filter-parameters';
import { inheritsVariables, type Inheritance } from '../variables/levels';

/** How a resource is read: its mapping, what it inherits, and the filters of its lists. */
export interface ResourceDefinition {
  readonly mapping: ResourceMapping;
  readonly inheritance: Inheritance;
  /** The filters in addition to `uuid` and `name_prefix`, which every list of resources with a UUID has. */
  readonly filters: readonly ListFilter[];
  /** Whether responses show its variables. */
  readonly showsVariables: boolean;
  /** Whether its lists can be filtered by variables, with `vars` and `where`. */
  readonly filtersVariables: boolean;
  /** The parent resource, for links, as SQL for `collection/id`; absent: responses have no links. */
  readonly up?: string;
  /** Members that only the response for one resource has. Its service adds them. */
  readonly singleMembers?: readonly string[];
  /** Past state that is not in its own change records, as SQL over the `t` of `fromSnapshotAt`. */
  readonly past?: {
    /** Derived members. */
    readonly members?: Readonly<Record<string, (at: PointInTime) => Sql>>;
    /** The parent resource, as SQL for `collection/id`. */
    readonly up?: () => Sql;
  };
  /** Set for resources that cannot be read as of a point in time: they never change, or have revisions instead. */
  readonly isPresentOnly?: true;
  /** A Boolean parameter that expands a selection: `descendants`. */
  readonly expansion?: {
    readonly parameter: string;
    readonly description: string;
    readonly selection: (mapping: ResourceMapping, scope: ProjectScope, selection: Selection) => Selection;
  };
}

/** The members of the response for one resource, in order. */
export const singleMembers = (definition: ResourceDefinition): string[] => [
  ...shownMembers(definition),
  ...(definition.singleMembers ?? []),
];

/** Every member of a response, in order. */
export function shownMembers(definition: ResourceDefinition): string[] {
  const { mapping, showsVariables, up } = definition;
  return [
    ...Object.keys(mapping.fields),
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

/** A filter by UUID. The UUID of a project is its id, which has the index. */
const byUuid = ({ fields, idType }: ResourceMapping): ListFilter[] =>
  fields['uuid'] ? [uuidFilter(idType === 'uuid' ? 't.id' : 't.uuid')] : [];

/** A filter by a prefix of the name, for completion. */
function byPrefix({ fields, nameField }: ResourceMapping): ListFilter[] {
  const name = fields[nameField]?.sort;
  return fields['uuid'] && name?.type === 'text'
    ? [prefixFilter('name_prefix', `Only items whose ${nameField} has this prefix.`, 'a', name.column)]
    : [];
}

/** The query parameters that select resources of a list, without those for rendering. */
export const selectingParameters = ({
  mapping,
  filters,
  filtersVariables,
  expansion,
}: Pick<ResourceDefinition, 'mapping' | 'filters' | 'filtersVariables' | 'expansion'>): ListParameters => ({
  members: [],
  filters: [...byUuid(mapping), ...byPrefix(mapping), ...filters],
  common: [],
  others: [
    ...(filtersVariables ? FILTER_PARAMETERS.map((name) => ({ name, repeatable: true as const })) : []),
    ...(expansion ? [{ name: expansion.parameter }] : []),
  ],
});

/** The query parameters of a resource's list. */
export function listParameters(definition: ResourceDefinition): ResourceListParameters {
  const { filters, others } = selectingParameters(definition);
  return {
    mapping: definition.mapping,
    members: shownMembers(definition),
    filters,
    common: definition.showsVariables ? [...PAGING, 'resolved-values'] : PAGING,
    others: [...others, ...(inheritsVariables(definition.inheritance) ? [{ name: 'explain' }] : [])],
  };
}
