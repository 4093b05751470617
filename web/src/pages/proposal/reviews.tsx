import { Text, Title } from '@mantine/core';
import type { Proposal, ProposalPreview, ProposalReview } from '../../api/proposals';
import { counted } from '../../components/counted';
import { TimeStamp } from '../../components/time-stamp';
import classes from './reviews.module.css';

interface Props {
  readonly proposal: Proposal;
  /** Undefined until it is computed, and once the proposal is decided. */
  readonly preview: ProposalPreview | undefined;
}

/** Who has approved or rejected the proposal, and whether that still counts. */
export function Reviews({ proposal, preview }: Props) {
  const { reviews, change_id } = proposal;
  const { required, given } = preview?.approvals ?? proposal.approvals;
  return (
    <section aria-labelledby="reviews">
      <Title order={2} id="reviews">
        Reviews
      </Title>
      {change_id === null && (
        <Text size="sm" role="status">
          {given} of {counted(required, 'approval')}
        </Text>
      )}
      {preview && !preview.may.approve && !preview.may.apply && <Missing preview={preview} />}
      <ol className={classes.reviews} aria-label="Reviews">
        {reviews.map((review) => (
          <li key={review.id} className={classes.review}>
            <div>
              <strong>{review.reviewer.username}</strong>{' '}
              <span className={classes[review.verdict]}>
                {review.verdict === 'approve' ? 'approved' : 'rejected'}
              </span>{' '}
              <TimeStamp time={review.created_at} />
            </div>
            {review.note !== null && <p className={classes.text}>{review.note}</p>}
            <Text size="xs" c="dimmed">
              {standing(review, proposal, preview)}
            </Text>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Why the user can do nothing more with it, apart from what is said above the preview. */
function Missing({ preview: { may, problems } }: { readonly preview: ProposalPreview }) {
  const said = new Set(problems.map(({ message }) => message));
  return may.missing
    .filter((text) => !said.has(text))
    .map((text) => (
      <Text key={text} size="xs" c="dimmed">
        {text}
      </Text>
    ));
}

/** Whether a review counts, or why not. */
function standing(
  review: ProposalReview,
  { reviews, revision }: Proposal,
  preview: ProposalPreview | undefined,
): string {
  if (review.revision !== revision) return `Of revision ${review.revision}: it no longer counts.`;
  const isReplaced = reviews.some(({ id, reviewer }) => id > review.id && reviewer.id === review.reviewer.id);
  if (isReplaced) return 'Replaced by a later review.';
  if (preview?.approvals.stale.includes(review.id) === true)
    return 'What the proposal does has changed since: it no longer counts.';
  if (!review.counts) return 'It does not count: the reviewer has lost a role since.';
  return review.verdict === 'approve' ? 'It is one of the approvals.' : 'It blocks the proposal.';
}
