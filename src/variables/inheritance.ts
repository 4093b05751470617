import type { ResourceShape } from '../database/resource-shape';

/**
 * The levels that a resource `t` inherits variables from, broadest first, as SQL for their ids; absent where it
 * inherits from no such level. These are the project's own constants.
 */
export interface Inheritance {
  readonly region?: string;
  readonly cell?: string;
  /** The table that assigns labels to it, and its column for the resource. */
  readonly labels?: { readonly table: string; readonly owner: string };
}

/** A resource, and what it inherits from. */
export interface Inheriting {
  readonly shape: ResourceShape;
  readonly inheritance: Inheritance;
}

/** Whether a resource inherits anything. */
export const inherits = ({ region, cell, labels }: Inheritance): boolean =>
  region !== undefined || cell !== undefined || labels !== undefined;

/** For what has variables of its own alone: regions, labels, users. */
export const OWN_ONLY: Inheritance = {};
