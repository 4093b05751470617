import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { isStatus } from '../api/errors';
import { pageProject, pathOf } from '../api/page-project';
import { readAgain } from '../api/read-again';
import { enterProject, isSameUser, readSession, sessionQuery } from '../api/session';
import { SignInForm } from '../components/sign-in-form';
import { ErrorAlert } from '../components/states';

/**
 * The dialog of somebody whose session has ended. The same user goes on in the same project; for another one, the page is
 * loaded anew.
 */
export function SignInAgain({ onClose }: { readonly onClose: () => void }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  // Reading the session again may change it.
  const [former] = useState(session);
  const queryClient = useQueryClient();
  const router = useRouter();
  const resume = useMutation({
    mutationFn: async () => {
      const session = await readSession();
      if (!isSameUser(former, session)) {
        location.reload();
        return;
      }
      const shown = pageProject ?? former.project.id;
      if (session.project.id !== shown) await enterProject(shown);
    },
    onSuccess: async () => {
      onClose();
      // A first read that began without a session would ask to sign in again.
      await readAgain(queryClient, {});
    },
  });
  const { error } = resume;
  return (
    <Modal
      opened
      onClose={onClose}
      title="Your session has ended"
      centered
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      // Above the dialog whose request has failed.
      zIndex={300}
    >
      <Stack gap="md">
        <Text size="sm">
          Sign in again as {former.user.username}. What you entered on the page is still there.
        </Text>
        {error && (
          <ErrorAlert error={isStatus(error, 401) ? new Error('There is no new session yet.') : error} />
        )}
        <SignInForm
          isInPlace
          returnTo={pathOf('/account')}
          onSignedIn={() => {
            resume.mutate();
          }}
        />
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            data-mantine-stop-propagation
            onClick={() => {
              queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
              void router.navigate({ to: '/sign-in' });
            }}
          >
            Leave the page
          </Button>
          <Button
            variant="default"
            data-mantine-stop-propagation
            loading={resume.isPending}
            onClick={() => {
              resume.mutate();
            }}
          >
            I have signed in in another tab
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
