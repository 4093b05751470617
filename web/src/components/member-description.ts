/** A member that can be updated, as the API describes it. */
export interface MemberDescription {
  readonly name: string;
  readonly type: string;
  readonly nullable?: boolean;
  readonly refersTo?: string;
}

/** Members by name. */
export type Values = Readonly<Record<string, unknown>>;
