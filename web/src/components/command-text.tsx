import { Button, Code, CopyButton, Group } from '@mantine/core';

/** A command for a shell, with a button that copies it. */
export const CommandText = ({ text }: { readonly text: string }) => (
  <Group gap="xs" align="flex-start" wrap="nowrap" pt="xs">
    <Code block tabIndex={0} flex={1} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {text}
    </Code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  </Group>
);
