import type { ResourceShape } from '../database/resource-shape';

/**
 * The levels that a resource `t` inherits variables from, broadest first, as SQL for their ids. Absent: it does not
 * inherit from a level of this kind. The SQL is inserted as is, so it must be constant.
 */
export interface Inheritance {
  readonly region?: string;
  readonly cell?: string;
  /** The table of label assignments, and its column for the id of the resource. */
  readonly labels?: { readonly table: string; readonly owner: string };
}

/** A kind of resource, and the levels that it inherits from. */
export interface Inheriting {
  readonly shape: ResourceShape;
  readonly inheritance: Inheritance;
}

/** Whether a resource inherits from any level. */
export const inherits = ({ region, cell, labels }: Inheritance): boolean =>
  region !== undefined || cell !== undefined || labels !== undefined;

/** For resources without inherited variables: regions, labels, users. */
export const OWN_ONLY: Inheritance = {};
