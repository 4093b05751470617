import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session';
import { ErrorAlert } from '../components/states';
import { useEnterProject } from './use-enter-project';
import { useProject } from './use-project';
import { useSignOut } from './use-sign-out';

/**
 * Says that the session cannot enter the project that this tab shows, and offers one that it can. The page stays behind the
 * dialog, with everything that was typed.
 */
export function InaccessibleProject() {
  const { project: entered } = useSuspenseQuery(sessionQuery).data;
  const shown = useProject();
  const enter = useEnterProject();
  const signOut = useSignOut();
  const error = enter.error ?? signOut.error;
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={`You cannot enter the project ${shown.name}`}
      centered
    >
      <Stack gap="md">
        <Text size="sm">
          It was deleted, or you have no access to it, so nothing is read or changed in this tab. If access
          was granted after you signed in, sign out and sign in again.
        </Text>
        {error && <ErrorAlert error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            loading={signOut.isPending}
            onClick={() => {
              signOut.mutate();
            }}
          >
            Sign out
          </Button>
          <Button
            data-autofocus
            loading={enter.isPending}
            onClick={() => {
              enter.mutate({ id: entered.id });
            }}
          >
            Go to {entered.name}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
