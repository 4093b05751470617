import { Command } from 'commander';
import { asObject, toNumber } from '../../api/exact-json';
import type { Muster } from '../../api/muster';
import { print, printStatus } from '../../output/console';
import { pluralize } from '../../text';
import { displayValue, printList, printOne } from '../../output/formats';
import type { Row } from '../../output/rows';
import { describeImpact } from '../report-write';
import { displaySides, MAX_SHOWN_DEVICES, readImpact, type Impact } from '../impact-preview';
import { printWrites } from '../resources/print-previews';
import { openSession, type Session } from '../session';
import { conflictsOf, needsRebase, missingTexts, problemTexts, SIDES } from './conflicts';
import { addProposalId, parseProposalId, PROPOSAL } from './proposal-output';

/** What a proposal would do now, for the caller. */
export interface ProposalPreview {
  /** The response body. */
  readonly body: Row;
  /** Undefined if an operation fails. */
  readonly impact: Impact | undefined;
}

/** `muster proposal preview` */
export const previewCommand = (): Command =>
  addProposalId(new Command('preview'))
    .description('Computes what a proposal would change now, whether it can be applied, and if not, why.')
    .action(async (text: string, _, command: Command) => {
      const id = parseProposalId(text);
      const session = openSession(command);
      const { format } = session;
      const preview = await readProposalPreview(session.muster, id);
      if (format === 'json' || format === 'yaml' || format === 'terraform')
        return printOne(format, preview.body, 'revision');
      if (format === 'table') await printProposalPreview(session, id, preview);
      else if (preview.impact) await printWrites(session, preview.body);
      printStatus(...missingLines(preview));
    });

/** @throws ApiError */
export async function readProposalPreview(muster: Muster, id: string): Promise<ProposalPreview> {
  const query = { limit: MAX_SHOWN_DEVICES };
  const body = asObject((await muster.request('get', `${PROPOSAL}/preview`, { path: { id }, query })).body);
  const { impact } = body;
  return { body, impact: impact === null ? undefined : readImpact(impact) };
}

/**
 * Prints what a proposal would do, for people: what it writes, its impact in groups of devices that get the same value, and
 * conflicts with what others have changed since.
 */
export async function printProposalPreview(
  session: Session,
  id: string,
  { body, impact }: ProposalPreview,
): Promise<void> {
  if (impact) {
    await printWrites({ ...session, format: 'table' }, body);
    await printGroups(asObject(body['impact']));
    printStatus(`${describeImpact(impact, 'would resolve')}.`);
  }
  await printConflicts(conflictsOf(body));
  const problems = problemTexts(body);
  if (problems.length > 0) printStatus('It cannot be applied:', ...problems.map((text) => `  ${text}`));
  if (needsRebase(body))
    printStatus(
      `Others have changed what it writes. Its author can replace that with "muster proposal amend ${id} --rebase".`,
    );
}

/** Prints how many devices get which values. */
async function printGroups({ groups, groups_total: total }: Row): Promise<void> {
  const rows = (groups as unknown[])
    .map(asObject)
    .map(({ key, before, after, devices }) => ({ key, ...displaySides('table', before, after), devices }));
  if (rows.length === 0) return;
  await print('\n');
  await printList('table', rows, { names: ['key', 'before', 'after', 'devices'], name: 'key' });
  const omitted = toNumber(total) - rows.length;
  if (omitted > 0) printStatus(`… and ${pluralize(omitted, 'more change')} of values.`);
}

async function printConflicts(conflicts: readonly Row[]): Promise<void> {
  if (conflicts.length === 0) return;
  await print('\n');
  const rows = conflicts.map(({ kind, name, field, ...values }) => ({
    conflict: `${String(kind)} ${String(name)}`,
    field,
    ...Object.fromEntries(SIDES.map((side) => [side, displayValue('table', values[side])])),
  }));
  await printList('table', rows, { names: ['conflict', 'field', ...SIDES], name: 'conflict' });
}

/** What is missing for the caller to approve and to apply it, as lines. */
export function missingLines({ body }: ProposalPreview): string[] {
  const { approve, apply } = asObject(body['may']);
  const rights = [...(approve === true ? ['approve'] : []), ...(apply === true ? ['apply'] : [])];
  return [...(rights.length > 0 ? [`You can ${rights.join(' and ')} it.`] : []), ...missingTexts(body)];
}
