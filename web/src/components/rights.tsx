import { Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { firstMissingRight, type MissingRight, missingRight, type NeededRight } from '../api/rights';
import { sessionQuery } from '../api/session';

/** What the user lacks for a write; undefined if the roles suffice. */
export function useMissingRight(needed: NeededRight): MissingRight | undefined {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return missingRight(session.user, needed);
}

/** What the user lacks for one of several writes that are done together; undefined if the roles suffice for all. */
export function useFirstMissingRight(needed: readonly NeededRight[]): MissingRight | undefined {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return firstMissingRight(session.user, needed);
}

/** Says which role is missing, before anything is typed. Nothing if the roles suffice. */
export function RightsHint(needed: NeededRight) {
  const right = useMissingRight(needed);
  return (
    right && (
      <Text size="sm" c="var(--warning)">
        {right.message}
      </Text>
    )
  );
}
