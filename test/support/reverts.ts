import type { Response } from 'supertest';
import type { Caller } from './caller';
import type { ExpectedImpact } from './impact-oracle';

/** A side of a changed object. */
type Side = Readonly<Record<string, unknown>> | null;

export interface ChangedObject {
  readonly kind: string;
  readonly id: number | string;
  readonly name: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly before: Side;
  readonly after: Side;
  readonly variables: Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>;
}

/** A change record in a response. */
export interface ChangeRecord {
  readonly id: number;
  readonly project_id: string;
  readonly reason: string | null;
  readonly request_id: string;
  readonly objects: readonly ChangedObject[];
  /** The first page of the change's impact, if the feed is read with `resolved=true`. */
  readonly resolved?: ImpactPage;
}

/** A page of the devices whose resolved variables a change altered. */
export interface ImpactPage {
  readonly items: ExpectedImpact['items'];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

/** The newest change of the caller's project. @param back how many changes before it */
export async function lastChange<T = ChangeRecord>(caller: Caller, back = 0): Promise<T> {
  const path = `/v1/changes?project_id=${caller.projectId}&sort_dir=desc&limit=${String(back + 1)}`;
  const records = (await caller.get(path).expect(200)).body as T[];
  return records[back]!;
}

export const revert = async (caller: Caller, id: number): Promise<Response> =>
  caller.post(`/v1/changes/${String(id)}/revert`);

/** Reverts a change. @returns the record of the revert @throws if the response is an error, which it shows */
export async function doRevert(caller: Caller, id: number): Promise<ChangeRecord> {
  const { status, text, body } = await revert(caller, id);
  expect(status === 201 || text).toBe(true);
  return body as ChangeRecord;
}

/** Reverts the deletion of a project, which has its former id again. */
export async function restoreProject(root: Caller, projectId: string): Promise<void> {
  const path = `/v1/changes?project_id=${projectId}&sort_dir=desc&limit=1`;
  const [deletion] = (await root.get(path).expect(200)).body as [ChangeRecord];
  await doRevert(root, deletion.id);
}

/** The details of a response that rejects a revert. */
export function refused(response: Response, status = 409): { field: string; message: string }[] {
  expect([response.status, response.text]).toEqual([status, expect.any(String)]);
  return response.body.details as { field: string; message: string }[];
}

/** What the client says of how its newest changes are reverted. */
export async function revertHint(caller: Caller, count = 1): Promise<string> {
  const ids: string[] = [];
  for (let back = count - 1; back >= 0; back--) ids.push(String((await lastChange(caller, back)).id));
  return `Revert ${count === 1 ? 'it' : 'them'} with: muster change revert ${ids.join(' ')}`;
}
