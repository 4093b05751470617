import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useBlocker } from '@tanstack/react-router';
import { useRef } from 'react';
import { Notice } from './notice';

interface Props {
  /** What it is: `API key of operator`. */
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/**
 * The dialog with a secret that is shown once. Only its button closes it, and until the secret was copied, leaving, reloading or
 * closing the page asks, so that it is not lost by accident.
 */
export function ShownOnce({ title, secret, onClose }: Props) {
  // The button says so as long as the dialog is open.
  const { copy, copied, error } = useClipboard({ timeout: 2 ** 31 - 1 });
  const isSaved = useRef(false);
  const isUnsaved = () => !copied && !isSaved.current;
  useBlocker({
    shouldBlockFn: () =>
      isUnsaved() &&
      !globalThis.confirm(`Leave without “${title}”? It was not copied, and is not shown again.`),
    enableBeforeUnload: isUnsaved,
  });
  return (
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
          onCopy={() => {
            isSaved.current = true;
          }}
          style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        >
          {secret}
        </Code>
        {error && (
          <Text size="sm" role="status">
            The browser does not copy on this page: select the text, and copy it with Ctrl-C.
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button
            data-autofocus
            onClick={() => {
              copy(secret);
            }}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
          <Button
            variant="default"
            onClick={() => {
              isSaved.current = true;
              onClose();
            }}
          >
            I have saved it
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
