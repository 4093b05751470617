import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session';
import { ErrorAlert } from '../components/states';
import { useEnterProject } from './use-enter-project';
import { useProject } from './use-project';

/**
 * Says that the session works in another project than this tab shows, and offers both. The page stays behind the dialog, with
 * everything that was typed.
 */
export function OtherProject() {
  const { project: entered } = useSuspenseQuery(sessionQuery).data;
  const shown = useProject();
  const enter = useEnterProject();
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={`This tab shows the project ${shown.name}`}
      centered
    >
      <Stack gap="md">
        <Text size="sm">
          You work in the project {entered.name} now, so nothing is read or changed in this tab. Work in one
          project at a time: other tabs then say the same.
        </Text>
        {enter.error && <ErrorAlert error={enter.error} />}
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            onClick={() => {
              enter.mutate({ id: entered.id });
            }}
          >
            Go to {entered.name}
          </Button>
          <Button
            data-autofocus
            loading={enter.isPending}
            onClick={() => {
              enter.mutate({ id: shown.id });
            }}
          >
            Work in {shown.name}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
