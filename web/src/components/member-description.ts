/** A member that can be updated, as the API describes it. */
export interface MemberDescription {
  readonly name: string;
  readonly type: string;
  readonly nullable?: boolean;
  readonly refersTo?: string;
}

/** Members by name. */
export type Values = Readonly<Record<string, unknown>>;

/** References that are chosen by name. */
const CHOSEN = new Set(['region', 'cell', 'cloud', 'device']);

/** Whether a form has a field for a member. */
export const isEditable = ({ type, refersTo }: MemberDescription): boolean =>
  refersTo === undefined
    ? ['string', 'labels', 'boolean', 'integer', 'json'].includes(type)
    : CHOSEN.has(refersTo);

/** Whether a member is the name of its resource: that of a label is `label`. */
export const isName = (name: string): boolean => name === 'name' || name === 'label';
