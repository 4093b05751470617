import type { ApiError } from '@muster/api-types';
import { asObject } from '../../api/exact-json';
import { CliError, exitCodeFor } from '../../cli-error';
import type { Row } from '../../output/rows';
import { jsonText } from '../impact-preview';
import { proposalUrl } from '../propose';
import { proposalName } from './proposal-output';

/** How many conflicts an error shows. */
const MAX_SHOWN = 20;

/** The sides of a conflict. */
export const SIDES = ['then', 'now', 'proposed'] as const;

/** The conflicts in a preview. */
export const conflictsOf = (preview: Row): Row[] => (preview['conflicts'] as unknown[]).map(asObject);

/**
 * The error of a precondition of an operation, which tells to retry: that cannot help a proposal. A line of an import has its own
 * precondition (`if_version`), which stays when the proposal is rebased: its message says more.
 */
const isMismatch = ({ code, field }: Row): boolean =>
  code === 'version_mismatch' && !/(^|\.)line \d/.test(String(field));

const problemsOf = (preview: Row): Row[] => (preview['problems'] as unknown[]).map(asObject);

/** Whether others have changed what the proposal writes since its revision. The author must rebase it. */
export const needsRebase = (preview: Row): boolean =>
  conflictsOf(preview).length > 0 || problemsOf(preview).some(isMismatch);

/** The messages of the problems in a preview. Conflicts say more than preconditions that do not hold. */
export const problemTexts = (preview: Row): string[] =>
  problemsOf(preview)
    .filter((problem) => conflictsOf(preview).length === 0 || !isMismatch(problem))
    .map((problem) =>
      isMismatch(problem)
        ? `Others have changed the resource of operation ${String(problem['operation'])} since it was proposed.`
        : String(problem['message']),
    );

/** What is missing for the caller to approve and to apply a proposal, with the messages of `problemTexts`. */
export function missingTexts(preview: Row): string[] {
  const messages = new Set(problemsOf(preview).map(({ message }) => message));
  const { missing } = asObject(preview['may']);
  const others = (missing as unknown[]).filter((text) => !messages.has(text));
  return [...problemTexts(preview), ...others.map(String)];
}

/** A line for each of the first conflicts. */
export function conflictLines(conflicts: readonly Row[]): string[] {
  const omitted = conflicts.length - MAX_SHOWN;
  return [
    ...conflicts.slice(0, MAX_SHOWN).map((conflict) => {
      const { kind, name, field } = conflict;
      const sides = SIDES.map(
        (side) => `${side} ${side in conflict ? jsonText(conflict[side]) : '(not set)'}`,
      );
      return `  ${String(kind)} ${String(name)}: ${String(field)}: ${sides.join('; ')}`;
    }),
    ...(omitted > 0 ? [`  … and ${String(omitted)} more`] : []),
  ];
}

/** How the author of an outdated proposal can go on. */
export function rebaseLines(proposal: Row): string[] {
  const url = proposalUrl(proposal);
  return [
    `  Its author can keep what it proposes, and replace the present values: muster proposal amend ${String(proposal['id'])} --rebase`,
    ...(url === undefined ? [] : [`  To decide for each value: ${url}`]),
  ];
}

/** The error of a proposal that was not applied because it is outdated. */
export const outdatedError = (preview: Row, proposal: Row, error: ApiError): CliError =>
  new CliError(
    `Others have changed what ${proposalName(proposal)} writes. Nothing was written.`,
    exitCodeFor(error),
    [
      ...conflictLines(conflictsOf(preview)),
      ...problemTexts(preview).map((text) => `  ${text}`),
      ...rebaseLines(proposal),
      ...(error.requestId === undefined ? [] : [`  request id: ${error.requestId}`]),
    ],
  );
