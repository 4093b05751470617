/** A member of a resource that a request can set. */
export interface MemberDescription {
  readonly name: string;
  readonly description: string;
  /** `labels`: a set of names; `strings`: an array of texts; `json`: anything. */
  readonly type: 'string' | 'integer' | 'boolean' | 'labels' | 'strings' | 'json';
  readonly required?: true;
  readonly nullable?: true;
  /** The kind whose id the member contains; `device` for any kind of device. */
  readonly refersTo?: string;
}

/** A query parameter that filters a list. */
export interface FilterDescription {
  readonly name: string;
  readonly description: string;
  readonly type: 'string' | 'integer' | 'boolean';
  readonly repeatable?: true;
  /** The value can also be `null`, for resources without a value. */
  readonly nullable?: true;
  readonly refersTo?: string;
}

/** What the client knows of a collection of the API. */
export interface ResourceDescription {
  /** The singular: `network-device`. */
  readonly kind: string;
  /** The plural, as in paths: `network-devices`. */
  readonly collection: string;
  /** The member that contains the name; null for resources without a name. */
  readonly nameMember: string | null;
  readonly isDevice: boolean;
  readonly carriesVariables: boolean;
  /** Whether its variables are resolved from several levels. */
  readonly inherits: boolean;
  /** Whether writes of its resources can be proposed. */
  readonly isProposable: boolean;
  readonly create: readonly MemberDescription[];
  readonly update: readonly MemberDescription[];
  readonly filters: readonly FilterDescription[];
  /** The members that `fields` can select. */
  readonly fields: readonly string[];
  readonly sortKeys: readonly string[];
}
