import { Button, Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Proposal, ProposalConflict } from '../../api/proposals';
import type { Side } from '../../components/conflict';
import { counted } from '../../components/counted';
import { hasLevel, LevelMark, levelOf } from '../../components/level-mark';
import { Notice } from '../../components/notice';
import { ResourceLink } from '../../components/resource-link';
import { ErrorAlert } from '../../components/states';
import { SideView } from '../../components/three-way';
import { canTakeTheirs, conflictKey, resolved } from './amend';
import { useProposalWrite } from './proposal-query';

interface Props {
  readonly proposal: Proposal;
  readonly conflicts: readonly ProposalConflict[];
  readonly isAuthor: boolean;
}

type Answer = 'theirs' | 'mine';

/** What others have changed since the revision was made. The author answers each conflict, which makes a new revision. */
export function Conflicts({ proposal, conflicts, isAuthor }: Props) {
  const [answers, setAnswers] = useState<Readonly<Record<string, Answer | undefined>>>({});
  const rebase = useProposalWrite<Pick<Proposal, 'operations'> & { readonly rebase: true }>(
    proposal,
    'PUT',
    '',
  );
  if (conflicts.length === 0) return null;
  const theirs = conflicts.filter((conflict) => answers[conflictKey(conflict)] === 'theirs');
  const operations = resolved(proposal.operations, theirs);
  const open = conflicts.filter((conflict) => answers[conflictKey(conflict)] === undefined).length;
  return (
    <Notice
      kind="warning"
      title={`${counted(conflicts.length, 'value was', 'values were')} changed by others since this was proposed`}
    >
      <Stack gap="sm" mt="xs">
        {conflicts.map((conflict) => {
          const key = conflictKey(conflict);
          const field = conflict.field.replace(/^variables\./, '');
          const member = field === conflict.field ? field : undefined;
          return (
            <div key={key} role="group" aria-label={`${field} of ${conflict.name}`}>
              <Group gap="xs" mb={4}>
                <Resource conflict={conflict} />
                <code>{field}</code>
              </Group>
              <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
                <SideView title="When it was proposed" side={sideOf(conflict, 'then')} member={member} />
                <SideView title="Now" side={sideOf(conflict, 'now')} member={member} />
                <SideView title="Proposed" side={sideOf(conflict, 'proposed')} member={member} />
              </SimpleGrid>
              {isAuthor && (
                <SegmentedControl
                  mt="xs"
                  aria-label={`What becomes of ${field} of ${conflict.name}`}
                  data={[
                    { value: '', label: 'Undecided' },
                    {
                      value: 'theirs',
                      label: 'Take theirs',
                      disabled: !canTakeTheirs(proposal.operations, conflict),
                    },
                    { value: 'mine', label: 'Keep mine' },
                  ]}
                  value={answers[key] ?? ''}
                  onChange={(value) => {
                    const answer = value === 'theirs' || value === 'mine' ? value : undefined;
                    setAnswers((former) => ({ ...former, [key]: answer }));
                  }}
                />
              )}
            </div>
          );
        })}
        {rebase.error && <ErrorAlert error={rebase.error} />}
        {isAuthor ? (
          <Group gap="xs">
            <Button
              disabled={open > 0 || operations.length === 0}
              loading={rebase.isPending}
              onClick={() => {
                rebase.mutate({ operations, rebase: true });
              }}
            >
              Amend the proposal
            </Button>
            <Text size="sm">
              {operations.length === 0
                ? 'Nothing would be left of the proposal: withdraw it.'
                : open > 0
                  ? `${counted(open, 'answer is', 'answers are')} missing.`
                  : 'This makes a new revision, which needs new reviews.'}
            </Text>
          </Group>
        ) : (
          <Text size="sm">
            {proposal.author.username} can take the present values, or keep the proposed ones.
          </Text>
        )}
      </Stack>
    </Notice>
  );
}

/** A value that may not be set. */
const sideOf = (conflict: ProposalConflict, side: 'then' | 'now' | 'proposed'): Side =>
  side in conflict ? { value: conflict[side] } : undefined;

function Resource({ conflict: { kind, resource_id, name } }: { readonly conflict: ProposalConflict }) {
  const link = <ResourceLink kind={kind} id={resource_id} name={name} />;
  return hasLevel(kind) ? <LevelMark level={levelOf(kind)}>{link}</LevelMark> : link;
}
