import { Group, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiError } from '@muster/api-types';
import { isUndecided, proposalQuery, type Proposal, type ProposalPreview } from '../../api/proposals';
import { isAdmin, sessionQuery } from '../../api/session';
import { ChangeLink } from '../../components/change-link';
import { lazyComponent } from '../../components/lazy-component';
import { Notice } from '../../components/notice';
import { PageTitle } from '../../components/page-title';
import { ProposalState } from '../../components/proposal-state';
import { RouteLink } from '../../components/resource-link';
import { ResourceProject } from '../../components/resource-project';
import { ErrorAlert, ErrorState, LoadingState } from '../../components/states';
import { TimeStamp } from '../../components/time-stamp';
import { Discussion } from './discussion';
import { ProposalActions } from './proposal-actions';
import classes from './proposal-page.module.css';
import { useProposalPreview } from './proposal-query';
import { ProposalTabs } from './proposal-tabs';
import { Reviews } from './reviews';
import { Problems } from './problems';

// Few proposals have one.
const Conflicts = lazyComponent(() => import('./conflicts').then(({ Conflicts: component }) => component));

const route = getRouteApi('/signed-in/proposals/$id');

/** One proposal: what it would do, what others say about it, and the decision. */
export function ProposalPage() {
  const id = Number(route.useParams().id);
  if (!Number.isSafeInteger(id))
    return (
      <ErrorState
        isPage
        what="the proposal"
        error={new ApiError(404, 'not_found', 'There is no such proposal.', [], undefined)}
      />
    );
  return <LoadedProposal id={id} />;
}

function LoadedProposal({ id }: { readonly id: number }) {
  const { data: proposal, error, refetch } = useQuery(proposalQuery(id));
  if (error && !proposal)
    return <ErrorState isPage error={error} what="the proposal" onRetry={() => void refetch()} />;
  if (!proposal) return <LoadingState what="the proposal" />;
  return (
    <ResourceProject id={proposal.project_id}>
      <ProposalView proposal={proposal} />
    </ResourceProject>
  );
}

function ProposalView({ proposal }: { readonly proposal: Proposal }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const query = useProposalPreview(proposal);
  const preview = query.data?.pages[0];
  const { id, title, state, author, revision, created_at, description, reason, change_id } = proposal;
  const isAuthor = author.id === session.user.id;
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <PageTitle title={`Proposal ${id}: ${title}`}>{title}</PageTitle>
          <ProposalState state={state} />
        </Group>
        <ProposalActions
          proposal={proposal}
          preview={query.isPlaceholderData ? undefined : preview}
          isAuthor={isAuthor}
          isAdmin={isAdmin(session)}
          hasApproved={hasApproved(proposal, preview, session.user.id)}
        />
      </Group>
      <Text size="sm" c="dimmed">
        Proposal {id} by{' '}
        <RouteLink to="/proposals" search={{ view: 'all', author: author.username }} size="sm" fw={600}>
          {author.username}
        </RouteLink>
        , <TimeStamp time={created_at} />, revision {revision}
        {reason !== null && <>. Reason: {reason}</>}
      </Text>
      {change_id !== null && (
        <Notice kind="info">
          It was applied by <ChangeLink id={change_id}>change {change_id}</ChangeLink>.
        </Notice>
      )}
      {query.error && <ErrorAlert error={query.error} />}
      {isUndecided(proposal) && preview && (
        <>
          {preview.conflicts.length > 0 && (
            <Conflicts key={revision} proposal={proposal} conflicts={preview.conflicts} isAuthor={isAuthor} />
          )}
          <Problems proposal={proposal} preview={preview} isAuthor={isAuthor} />
        </>
      )}
      <div className={classes.columns}>
        <Stack gap="sm" className={classes.effect}>
          {description !== null && <p className={classes.description}>{description}</p>}
          <ProposalTabs proposal={proposal} query={query} />
        </Stack>
        <Stack gap="md" component="aside" aria-label="Reviews and discussion">
          <Reviews proposal={proposal} preview={preview} />
          <Discussion proposal={proposal} />
        </Stack>
      </div>
    </>
  );
}

/** Whether a user approves what the proposal does now. */
function hasApproved(
  { reviews, revision }: Proposal,
  preview: ProposalPreview | undefined,
  user: number,
): boolean {
  const latest = reviews.findLast((review) => review.reviewer.id === user && review.revision === revision);
  return (
    latest?.verdict === 'approve' && latest.counts && preview?.approvals.stale.includes(latest.id) === false
  );
}
