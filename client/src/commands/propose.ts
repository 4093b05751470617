import type { Command } from 'commander';
import { asObject } from '../api/exact-json';
import { buildPath, type RequestOptions } from '../api/muster';
import type { ResourceDescription } from '../api/resource-description';
import type { Method } from '../api/types';
import { printStatus } from '../output/console';
import type { Row } from '../output/rows';
import { printProposal } from './proposal/proposal-output';
import { currentSettings, type Session } from './session';

/** Adds the options of commands that write what can be proposed. */
export const addProposalOptions = (command: Command): Command =>
  addOverrideOption(
    command.option('--propose <title>', 'propose it to others instead of writing it, and show the proposal'),
  );

/** Adds the option of commands whose writes can need an approval. */
export const addOverrideOption = (command: Command): Command =>
  command.option(
    '--override <why>',
    'write it without the approvals that it needs; for admins, and recorded',
  );

/** Adds the options of commands that write resources of a kind. */
export const addWriteOptions = (command: Command, { isProposable }: ResourceDescription): Command =>
  isProposable ? addProposalOptions(command) : addOverrideOption(command);

/** A write that can be proposed instead of done. */
export interface ProposableWrite {
  readonly method: Exclude<Method, 'get'>;
  readonly path: string;
  readonly options: Pick<RequestOptions, 'path' | 'query' | 'body'> & {
    readonly headers?: Readonly<Record<string, string>> | undefined;
  };
}

/**
 * Proposes writes if the command line has `--propose`, several of them as one batch, and prints the proposal.
 * @returns whether it did: then the command must not write
 * @throws ApiError
 */
export async function proposeInstead(session: Session, writes: readonly ProposableWrite[]): Promise<boolean> {
  const { muster, proposalTitle: title } = session;
  if (title === undefined) return false;
  const [only, another] = writes;
  const { method, path, options } = only && !another ? only : batchOf(writes);
  const { headers, ...others } = options;
  const { body } = await muster.request(method, path, {
    ...others,
    query: { ...options.query, propose: title },
    ...(headers ? { headers } : {}),
  });
  await printProposed(session, asObject(body));
  return true;
}

const batchOf = (writes: readonly ProposableWrite[]): ProposableWrite => ({
  method: 'post',
  path: '/v1/batch',
  options: { body: { operations: writes.map(toOperation) } },
});

const toOperation = ({ method, path, options }: ProposableWrite) => ({
  method: method.toUpperCase(),
  path: buildPath(path, options),
  body: options.body,
  if_none_match: options.headers?.['if-none-match'],
});

/** Prints a proposal that was made, and how to follow it. */
export async function printProposed({ format }: Session, proposal: Row): Promise<void> {
  await printProposal(format, proposal);
  const id = String(proposal['id']);
  const url = proposalUrl(proposal);
  printStatus(
    `Proposed as ${id}. Nothing was written.`,
    `  To see what it would change: muster proposal preview ${id}`,
    `  To follow it: muster proposal show ${id}${url === undefined ? '' : `, or ${url}`}`,
  );
}

/** The address of a proposal in the explorer. */
export function proposalUrl({ id, project_id: project }: Row): string | undefined {
  const url = currentSettings()?.connection.url.replace(/\/+$/, '');
  return url === undefined ? undefined : `${url}/projects/${String(project)}/proposals/${String(id)}`;
}
