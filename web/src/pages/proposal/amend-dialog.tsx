import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Proposal } from '../../api/proposals';
import { JsonField } from '../../components/json-field';
import { Notice } from '../../components/notice';
import { ActionDialog } from './action-dialog';
import { bodyText, withBodyText } from './amend';
import { operationTitle } from './operation-title';
import { useProposalWrite } from './proposal-query';

/** Proposals with more operations, or longer bodies, are amended with the client. */
const MAX_OPERATIONS = 50;
const MAX_TEXT = 200_000;

interface Props {
  readonly proposal: Proposal;
  readonly onClose: () => void;
}

/** Changes what a proposal writes, which makes a new revision. */
export function AmendDialog({ proposal, onClose }: Props) {
  const { operations, resources } = proposal;
  const [texts, setTexts] = useState(() => operations.map(bodyText));
  const [problem, setProblem] = useState<string>();
  const amend = useProposalWrite<Pick<Proposal, 'operations'>>(proposal, 'PUT', '', onClose);
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const isTooLarge = operations.length > MAX_OPERATIONS || length > MAX_TEXT;
  const submit = () => {
    try {
      const amended = operations.map((operation, i) => withBodyText(operation, texts[i] ?? ''));
      setProblem(undefined);
      amend.mutate({ operations: amended });
    } catch {
      setProblem('The body of an operation is not valid JSON. A text needs double quotes.');
    }
  };
  return (
    <ActionDialog
      title="Amend the proposal"
      verb="Make a new revision"
      size="lg"
      isComplete={!isTooLarge && operations.some((operation, i) => texts[i] !== bodyText(operation))}
      isPending={amend.isPending}
      error={amend.error}
      itemTitle={({ index }) => titleOf(proposal, index)}
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm">The reviews of the present revision do not count for the new one.</Text>
      {isTooLarge ? (
        <Notice kind="info">
          The proposal is too long for this form. Amend it with{' '}
          <code>muster proposal amend {proposal.id}</code>.
        </Notice>
      ) : (
        operations.map((operation, i) =>
          operation.body === undefined || operation.body === null ? (
            <Text key={i} size="sm">
              {operationTitle(operation, resources) ?? <code>{requestOf(operation)}</code>}
            </Text>
          ) : (
            <JsonField
              key={i}
              label={titleOf(proposal, i)}
              description={`What ${requestOf(operation)} sends, as JSON.`}
              text={texts[i] ?? ''}
              onChange={(text) => {
                setTexts(texts.with(i, text));
              }}
            />
          ),
        )
      )}
      {problem !== undefined && <Notice kind="error">{problem}</Notice>}
    </ActionDialog>
  );
}

/** An operation in words, as the label of its field. @param index counted from 0 */
function titleOf({ operations, resources }: Proposal, index: number): string {
  const operation = operations[index];
  if (!operation) return `Operation ${index + 1}`;
  return operationTitle(operation, resources) ?? requestOf(operation);
}

const requestOf = ({ method, path }: Proposal['operations'][number]): string =>
  `${method} ${path ?? '(hidden)'}`;
