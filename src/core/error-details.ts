/**
 * Why a member, parameter or header is rejected: the `code` of an error's detail, with its meaning. Clients branch on
 * these, so each has one meaning, and none is ever reused for another.
 */
export const DETAIL_CODES = {
  required: 'It is missing, and must be given.',
  unknown_member: 'The body has a member that does not exist here, or that cannot be set.',
  unknown_parameter: 'The query has a parameter that this request does not have.',
  unsupported: 'This request does not support the header or the encoding.',
  repeated: 'It was given more than once.',
  invalid_type: 'The value has another JSON type.',
  invalid_format: 'The value is not written in the required form.',
  invalid_value: 'The value is not one of those that are allowed.',
  out_of_range: 'The number or the time is too small or too large.',
  too_long: 'It has too many characters, items or bytes.',
  too_short: 'It has too few characters or items.',
  too_deep: 'The value is nested too deeply.',
  inconsistent: 'It contradicts another part of the request, or the inventory as it is.',
  not_found: 'It names something that does not exist, or that the caller cannot see.',
  duplicate: 'The value must be unique, and is already used.',
  in_use: 'Other resources still refer to it.',
  schema_violation: 'The value violates the schema of a variable definition or of an audit.',
  version_mismatch: 'The precondition does not hold: the current version is another one.',
  changed_later: 'A later change altered it, so the change cannot be reverted.',
  read_only: 'It is managed by another system, and cannot be changed here.',
  limit_exceeded: 'It would exceed a limit of the service, of the project or of the request.',
  approval_required: 'A rule of the project requires approvals; `field` names the rule.',
  missing_role: 'The roles of the caller do not allow it; `role` names one that does.',
} as const satisfies Readonly<Record<string, string>>;

export type DetailCode = keyof typeof DETAIL_CODES;

/** One error in a request. */
export interface ErrorDetail {
  /** The member, parameter or header. */
  readonly field: string;
  readonly code: DetailCode;
  /** What is wrong with it, for people. */
  readonly message: string;
  /**
   * With `missing_role`: a role that would allow the request. Of several for one field, one may be enough. Absent if naming it
   * would disclose a hidden variable.
   */
  readonly role?: string;
  /** With `schema_violation`: the JSON types that the definition accepts, if the value has another one. */
  readonly expected_types?: readonly string[];
}

/** Why a value is invalid. */
export type Fault = Pick<ErrorDetail, 'code' | 'message'>;

export const fault = (code: DetailCode, message: string): Fault => ({ code, message });
