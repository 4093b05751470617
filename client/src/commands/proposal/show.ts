import { Command, InvalidArgumentError } from 'commander';
import { asObject } from '../../api/exact-json';
import type { Muster } from '../../api/muster';
import { print } from '../../output/console';
import { displayValue, printList, printOne, type OutputFormat } from '../../output/formats';
import type { Row } from '../../output/rows';
import { openSession } from '../session';
import {
  addProposalId,
  parseProposalId,
  PROPOSAL,
  proposalRow,
  readProposal,
  usernameOf,
} from './proposal-output';

interface ShowOptions {
  readonly revision?: number;
}

/** `muster proposal show` */
export const showCommand = (): Command =>
  addProposalId(new Command('show'))
    .description('Shows a proposal: its operations, reviews and comments.')
    .option('--revision <n>', 'show the operations of an earlier revision', parseRevision)
    .action(async (text: string, { revision }: ShowOptions, command: Command) => {
      const id = parseProposalId(text);
      const { muster, format } = openSession(command);
      if (revision !== undefined) {
        await printRevision(muster, format, id, revision);
        return;
      }
      const proposal = await readProposal(muster, id);
      const comments: Row[] = [];
      for await (const comment of muster.items(`${PROPOSAL}/comments`, { path: { id } }))
        comments.push(asObject(comment));
      if (format === 'table') await printForPeople(proposal, comments);
      else if (format === 'csv') await printOperations(format, proposal);
      else await printOne(format, { ...proposal, comments }, 'id');
    });

function parseRevision(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a positive integer.');
  return Number(text);
}

async function printRevision(
  muster: Muster,
  format: OutputFormat,
  id: string,
  revision: number,
): Promise<void> {
  const path = `${PROPOSAL}/revisions/{revision}`;
  const body = asObject((await muster.request('get', path, { path: { id, revision } })).body);
  await (format === 'table' || format === 'csv'
    ? printOperations(format, body)
    : printOne(format, body, 'revision'));
}

async function printForPeople(proposal: Row, comments: readonly Row[]): Promise<void> {
  const { description, reason, change_id: change, created_at: created } = proposal;
  const members = { ...proposalRow(proposal), description, reason, change, created };
  await printOne('table', members, 'id');
  await print('\n');
  await printOperations('table', proposal);
  const reviews = (proposal['reviews'] as unknown[]).map(asObject).map(reviewRow);
  await printPart(reviews, ['review', 'by', 'verdict', 'revision', 'counts', 'time', 'note']);
  const texts = comments.map((one) => ({ ...one, by: usernameOf(one['author']), time: one['created_at'] }));
  await printPart(texts, ['comment', 'by', 'time', 'text']);
}

const reviewRow = ({ id, reviewer, created_at: time, ...review }: Row): Row => ({
  ...review,
  review: id,
  by: usernameOf(reviewer),
  time,
});

/** Prints a further table, if it has rows. */
async function printPart(rows: readonly Row[], names: readonly string[]): Promise<void> {
  if (rows.length === 0) return;
  await print('\n');
  const [name = ''] = names;
  await printList('table', rows, { names, name, wraps: true });
}

/** Prints the operations of a proposal or of a revision. */
async function printOperations(format: OutputFormat, { operations }: Row): Promise<void> {
  const rows = (operations as unknown[]).map((item, index) => {
    const { method, path, body, hidden } = asObject(item);
    return hidden === true
      ? { operation: index, method, path: '(names a variable that is hidden from you)' }
      : { operation: index, method, path, body: displayValue(format, body) };
  });
  const names = ['operation', 'method', 'path', 'body'];
  await printList(format, rows, { names, name: 'path', wraps: true });
}
