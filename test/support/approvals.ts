import type { Response, Test } from 'supertest';
import type { Caller } from './caller';

/** Writes the rules of a project. @param headers an override, if it has rules already */
export const setRules = (admin: Caller, rules: readonly unknown[], headers = {}): Test =>
  admin.put(`/v1/projects/${admin.projectId}/settings`, { approvals: rules }, headers);

/** The headers of an admin who passes the rules. */
export const OVERRIDE = { 'X-Change-Override': 'INC-77: the site is down' };

/** Expects that a write was rejected by a rule. @returns the fields of the details */
export function rejectedByRule({ status, body, text }: Response): string[] {
  const { code, details } = body as { code: string; details: readonly { field: string; code: string }[] };
  expect([status, code, text]).toEqual([403, 'approval_required', expect.any(String)]);
  expect(new Set(details.map((detail) => detail.code))).toEqual(new Set(['approval_required']));
  return details.map(({ field }) => field);
}
