import { Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/session';
import { importRightsText } from './import-rights-text';

/** Says what the user can only propose, before a file is chosen. Nothing if the roles suffice for all that a file can have. */
export function ImportRights() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const text = importRightsText(session.user);
  return (
    text !== undefined && (
      <Text size="sm" c="var(--warning)">
        {text}
      </Text>
    )
  );
}
