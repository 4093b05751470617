import type { Command } from 'commander';
import { asObject } from '../../api/exact-json';
import type { Muster } from '../../api/muster';
import { usageError } from '../../cli-error';
import { isUuid } from '../../lookup/resource-finder';
import { printOne, type OutputFormat } from '../../output/formats';
import type { Row } from '../../output/rows';

/** The path of one proposal. */
export const PROPOSAL = '/v1/proposals/{id}';

/** Adds the argument for a proposal. */
export const addProposalId = (command: Command): Command =>
  command.argument('<proposal>', 'the id, as shown by "muster proposal list", or the UUID');

/** Checks the id of a proposal. @throws CliError */
export function parseProposalId(text: string): string {
  if (/^\d{1,15}$/.test(text) || isUuid(text)) return text;
  throw usageError(`Invalid proposal ${JSON.stringify(text)}: "muster proposal list" shows the ids.`);
}

/** Reads one proposal. @throws ApiError */
export const readProposal = async (muster: Muster, id: string): Promise<Row> =>
  asObject((await muster.request('get', PROPOSAL, { path: { id } })).body);

/** The columns of proposals in tables and CSV files. */
export const PROPOSAL_COLUMNS = [
  'id',
  'state',
  'title',
  'author',
  'approvals',
  'revision',
  'operations',
  'resources',
  'keys',
  'comments',
  'updated',
];

/** A proposal as a row for people. */
export function proposalRow(proposal: Row): Row {
  const { id, state, title, revision, operations_total: operations, comments_total: comments } = proposal;
  const { required, given } = asObject(proposal['approvals']);
  return {
    id,
    state,
    title,
    author: usernameOf(proposal['author']),
    approvals: `${String(given)} of ${String(required)}`,
    revision,
    operations,
    resources: resourcesText(proposal['resources']),
    keys: (proposal['keys'] as unknown[]).join(', '),
    comments,
    updated: proposal['updated_at'] ?? proposal['created_at'],
  };
}

/** How many resources a row names. */
const MAX_SHOWN_RESOURCES = 3;

/** The resources that a proposal writes: `region north, host web (new), … and 8 more`. */
function resourcesText(resources: unknown): string {
  const texts = (resources as unknown[]).map(asObject).map((one) => {
    // The names of some new resources are hidden in lists.
    const isHidden = one['name'] === null && one['id'] === null;
    return [
      String(one['kind']),
      ...(isHidden ? [] : [String(one['name'] ?? one['id'])]),
      ...(isNew(one) ? ['(new)'] : []),
    ].join(' ');
  });
  const omitted = texts.length - MAX_SHOWN_RESOURCES;
  return [
    ...texts.slice(0, MAX_SHOWN_RESOURCES),
    ...(omitted > 0 ? [`… and ${String(omitted)} more`] : []),
  ].join(', ');
}

/** The settings of a project have no id, either. */
const isNew = ({ id, kind }: Row): boolean => id === null && kind !== 'project-settings';

/** The name of the author of a proposal, a review or a comment. */
export const usernameOf = (actor: unknown): unknown => asObject(actor)['username'];

/** Prints one proposal: for people and as CSV its summary, otherwise all of it. */
export const printProposal = (format: OutputFormat, proposal: Row): Promise<void> =>
  format === 'table' || format === 'csv'
    ? printOne(format, proposalRow(proposal), 'id', PROPOSAL_COLUMNS)
    : printOne(format, proposal, 'id');

/** The name of a proposal in messages: `proposal 7 "New NTP servers"`. */
export const proposalName = ({ id, title }: Row): string =>
  `proposal ${String(id)} ${JSON.stringify(String(title))}`;
