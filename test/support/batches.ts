import { aName, type Caller, type Resource } from './caller';

/** An operation of a batch. */
export interface Operation {
  readonly id?: string;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly if_match?: string;
  readonly if_none_match?: string;
}

/** The result of an operation. */
export interface OperationResult {
  readonly id: string | null;
  readonly status: number;
  readonly etag: string | null;
  readonly body: Resource;
}

export const sendBatch = (caller: Caller, operations: readonly Operation[], query = '', headers = {}) =>
  caller.post(`/v1/batch${query}`, { operations }, headers);

/** Sends a batch that succeeds. */
export async function doBatch(
  caller: Caller,
  operations: readonly Operation[],
): Promise<{ readonly change_id: number | null; readonly results: OperationResult[] }> {
  const response = await sendBatch(caller, operations);
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return response.body as { change_id: number | null; results: OperationResult[] };
}

/** The body of a new host. */
export const hostBody = (members: object) => ({
  name: aName('h'),
  ip_address: '10.0.0.1',
  device_type: 'server',
  ...members,
});

/** How many change records a project has. */
export const countOfChanges = async (caller: Caller): Promise<number> =>
  ((await caller.get('/v1/changes?limit=10000').expect(200)).body as unknown[]).length;
