import { Button, Code, CopyButton, Group, Modal, Stack } from '@mantine/core';
import { Notice } from './notice';

interface Props {
  /** What it is: `API key of operator`. */
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** The dialog with a secret that is shown once. Only its button closes it, so that it is not lost by accident. */
export const ShownOnce = ({ title, secret, onClose }: Props) => (
  <Modal
    opened
    onClose={onClose}
    title={title}
    size="lg"
    centered
    withCloseButton={false}
    closeOnClickOutside={false}
    closeOnEscape={false}
  >
    <Stack gap="sm">
      <Notice kind="warning">Save it now: it is not shown again, and nobody can look it up.</Notice>
      <Code
        block
        aria-label={title}
        tabIndex={0}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {secret}
      </Code>
      <Group justify="flex-end" gap="xs">
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button data-autofocus onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={onClose}>
          I have saved it
        </Button>
      </Group>
    </Stack>
  </Modal>
);
