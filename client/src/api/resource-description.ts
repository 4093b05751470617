/** A member of a resource that a request can set. */
export interface MemberDescription {
  readonly name: string;
  readonly description: string;
  /** `labels`: a set of names; `strings`: an array of texts; `json`: anything. */
  readonly type: 'string' | 'integer' | 'boolean' | 'labels' | 'strings' | 'json';
  readonly required?: true;
  readonly nullable?: true;
  /** The kind whose id it holds; `device` for a device of any kind. */
  readonly refersTo?: string;
}

/** A query parameter that narrows a list. */
export interface FilterDescription {
  readonly name: string;
  readonly description: string;
  readonly type: 'string' | 'integer' | 'boolean';
  readonly repeatable?: true;
  readonly refersTo?: string;
}

/** What the API tells of the resources of a collection. */
export interface ResourceDescription {
  /** In the singular: `network-device`. */
  readonly kind: string;
  /** As paths have it: `network-devices`. */
  readonly collection: string;
  /** The member that one calls it by; null: it has no name. */
  readonly nameMember: string | null;
  readonly isDevice: boolean;
  readonly carriesVariables: boolean;
  /** Whether its variables are resolved through others. */
  readonly inherits: boolean;
  readonly create: readonly MemberDescription[];
  readonly update: readonly MemberDescription[];
  readonly filters: readonly FilterDescription[];
  /** The members that lists can show. */
  readonly fields: readonly string[];
  readonly sortKeys: readonly string[];
}
