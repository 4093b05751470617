import type { Response } from 'supertest';
import type { Operation } from './batches';
import type { Caller } from './caller';

/** A proposal in a response. */
export interface ProposalBody {
  readonly id: number;
  readonly title: string;
  readonly state: string;
  readonly revision: number;
  readonly version: number;
  readonly reason: string | null;
  readonly author: { readonly id: number; readonly username: string };
  readonly resources: readonly {
    readonly kind: string;
    readonly id: number | null;
    readonly name: string | null;
  }[];
  readonly keys: readonly string[];
  readonly operations_total: number;
  readonly operations: readonly Record<string, unknown>[];
  readonly reviews: readonly Record<string, unknown>[];
  readonly approvals: { readonly required: number; readonly given: number };
  readonly comments_total: number;
  readonly change_id: number | null;
}

/** A change of a value in a preview. */
export interface EffectGroup {
  readonly key: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly devices: number;
}

/** A preview of a proposal. */
export interface ProposalPreview {
  readonly revision: number;
  readonly impact_digest: string | null;
  readonly applicable: boolean;
  readonly problems: readonly {
    readonly operation: number | null;
    readonly status: number;
    readonly code: string;
    readonly message: string;
  }[];
  readonly change: {
    readonly objects: readonly Record<string, unknown>[];
    readonly reason: string | null;
  } | null;
  readonly impact: {
    readonly devices: number;
    readonly keys: readonly string[];
    readonly groups: readonly EffectGroup[];
    readonly groups_total: number;
    readonly items: readonly { readonly id: number; readonly name: string; readonly changes: unknown }[];
  } | null;
  readonly conflicts: readonly Record<string, unknown>[];
  readonly approvals: {
    readonly required: number;
    readonly given: number;
    readonly stale: readonly number[];
  };
  readonly may: { readonly approve: boolean; readonly apply: boolean; readonly missing: readonly string[] };
}

/** Fails with the text of a response that has another status. */
export function expectStatus(response: Response, status: number): Response {
  if (response.status !== status) expect(response.text).toBe(`a response with the status ${String(status)}`);
  return response;
}

/** Proposes several operations. */
export async function propose(
  caller: Caller,
  operations: readonly Operation[],
  title = 'a proposal',
): Promise<ProposalBody> {
  const response = await caller.post(`/v1/batch?propose=${encodeURIComponent(title)}`, { operations });
  return expectStatus(response, 202).body as ProposalBody;
}

const pathOf = ({ id }: Pick<ProposalBody, 'id'>): string => `/v1/proposals/${String(id)}`;

export const showProposal = async (
  caller: Caller,
  proposal: Pick<ProposalBody, 'id'>,
): Promise<ProposalBody> => expectStatus(await caller.get(pathOf(proposal)), 200).body as ProposalBody;

export const previewProposal = async (
  caller: Caller,
  proposal: Pick<ProposalBody, 'id'>,
  query = '',
): Promise<ProposalPreview> =>
  expectStatus(await caller.get(`${pathOf(proposal)}/preview${query}`), 200).body as ProposalPreview;

export const amend = (caller: Caller, proposal: Pick<ProposalBody, 'id'>, body: object) =>
  caller.put(pathOf(proposal), body);

export const review = (caller: Caller, proposal: Pick<ProposalBody, 'id'>, body: object) =>
  caller.post(`${pathOf(proposal)}/reviews`, body);

/** Approves what a preview shows to the reviewer. */
export async function approve(caller: Caller, proposal: Pick<ProposalBody, 'id'>): Promise<ProposalBody> {
  const { revision, impact_digest } = await previewProposal(caller, proposal);
  const response = await review(caller, proposal, { verdict: 'approve', revision, impact_digest });
  return expectStatus(response, 201).body as ProposalBody;
}

export const applyProposal = (caller: Caller, proposal: Pick<ProposalBody, 'id'>, headers = {}) =>
  caller.post(`${pathOf(proposal)}/apply`, undefined, headers);
