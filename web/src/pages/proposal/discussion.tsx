import { Button, Group, Stack, Textarea, Title } from '@mantine/core';
import { useState } from 'react';
import { MAX_COMMENT_LENGTH, PROPOSALS, type ProposalComment, type Proposal } from '../../api/proposals';
import { ErrorAlert, ErrorState, LoadingState } from '../../components/states';
import { TimeStamp } from '../../components/time-stamp';
import { useSmallList } from '../../components/use-small-list';
import { useProposalWrite } from './proposal-query';
import classes from './reviews.module.css';

/** The comments on a proposal, and a field for another one. */
export function Discussion({ proposal }: { readonly proposal: Proposal }) {
  const { id, comments_total } = proposal;
  const path = `/v1/proposals/${id}/comments`;
  const queryKey = [PROPOSALS, id, 'comments', comments_total];
  const comments = useSmallList<ProposalComment>(queryKey, path, {}, { keepsPrevious: true });
  const [text, setText] = useState('');
  const comment = useProposalWrite<{ readonly text: string }>(proposal, 'POST', '/comments', () => {
    // What was typed meanwhile stays.
    setText((now) => (now === text ? '' : now));
  });
  return (
    <section aria-labelledby="discussion">
      <Title order={2} id="discussion">
        Discussion
      </Title>
      {comments.error ? (
        <ErrorState error={comments.error} what="the comments" onRetry={comments.retry} />
      ) : comments.isPending ? (
        <LoadingState what="the comments" />
      ) : (
        <ol className={classes.reviews} aria-label="Comments">
          {comments.rows.map((row) => (
            <li key={row.id} className={classes.review}>
              <strong>{row.author.username}</strong> <TimeStamp time={row.created_at} />
              <p className={classes.text}>{row.text}</p>
            </li>
          ))}
        </ol>
      )}
      {comments.onMore && (
        <Button variant="default" my="xs" loading={comments.isLoadingMore} onClick={comments.onMore}>
          Show later comments
        </Button>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!comment.isPending) comment.mutate({ text: text.trim() });
        }}
      >
        <Stack gap="xs" mt="xs">
          <Textarea
            label="Comment"
            required
            withAsterisk={false}
            autosize
            minRows={2}
            maxRows={10}
            maxLength={MAX_COMMENT_LENGTH}
            value={text}
            onChange={({ currentTarget: field }) => {
              setText(field.value);
              // "required" accepts blanks.
              field.setCustomValidity(field.value.trim() === '' ? 'Enter a comment.' : '');
              if (comment.error) comment.reset();
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
                event.currentTarget.form?.requestSubmit();
            }}
          />
          {comment.error && <ErrorAlert error={comment.error} />}
          <Group justify="flex-end">
            {/* Not disabled without a text: after a comment, it would not get the focus back. */}
            <Button type="submit" variant="default" loading={comment.isPending}>
              Comment
            </Button>
          </Group>
        </Stack>
      </form>
    </section>
  );
}
