import type { ResourceView } from '../resources/resource.view';

/** Members of resources that no line has. */
type NotInLines =
  | keyof ResourceView
  // Lines have own variables, and these are read and written differently.
  | 'variables'
  | 'links'
  | 'explain'
  // Secrets are not exported.
  | 'access_secret_id'
  // Each cell has a line, which names its region.
  | 'cells';

type OwnMember<V> = Exclude<keyof V & string, NotInLines>;

/** The members of a resource that refer to others by name, such as `region` for `region_id`. */
export type ReferenceMember<V> =
  OwnMember<V> extends infer M ? (M extends `${infer Named}_id` ? Named : never) : never;

/** The members of a resource that a line contains as they are. */
type PlainMember<V> = Exclude<OwnMember<V>, `${string}_id`>;

/**
 * The members of lines about a resource, in imports and exports, except `kind` and `variables`. A list with this type must
 * name all of them, so a new member of the view `V` that is missing in it fails to compile.
 */
export type LineMember<V> = PlainMember<V> | ReferenceMember<V>;

/** The members that an import writes to columns. The name identifies the resource, and labels have tables of their own. */
export type ColumnMember<V> = Exclude<PlainMember<V>, 'name' | 'label' | 'labels'>;
