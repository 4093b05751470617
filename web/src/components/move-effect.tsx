import { Text } from '@mantine/core';

/** What a move does besides. The element is always there, so that screen readers read what appears in it. */
export const MoveEffect = ({ text }: { readonly text: string | undefined }) => (
  <Text size="sm" role="status">
    {text}
  </Text>
);
