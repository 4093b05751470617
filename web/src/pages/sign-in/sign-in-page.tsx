import { Center, Paper, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { projectOfPath, serviceUrl } from '../../api/page-project';
import { PageTitle } from '../../components/page-title';
import { SignInForm } from '../../components/sign-in-form';
import { ErrorAlert } from '../../components/states';
import { safePath } from './safe-path';

const route = getRouteApi('/sign-in');

/** Why a sign-in failed, by the code that the service sends the browser here with. */
const FAILURES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    provider_unavailable: 'The identity provider is unavailable. Try again later.',
    access_denied: 'The identity provider denied the sign-in, or it was cancelled there.',
    no_access:
      'The identity provider knows you, but Muster gives you access to no project. Ask an administrator of Muster.',
    expired: 'The sign-in took more than ten minutes, or was started in another browser. Sign in again.',
    invalid_response:
      'Muster did not accept the response of the identity provider. Sign in again; if that does not help, the log of Muster has the reason.',
  }),
);

/** The page of somebody who has no session yet. */
export function SignInPage() {
  const { return_to, error } = route.useSearch();
  const returnTo = safePath(return_to);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={380}>
        <Stack gap="md">
          <div>
            <PageTitle title="Sign in">Muster</PageTitle>
            <Text size="sm" c="dimmed">
              Sign in to see the fleet.
            </Text>
          </div>
          {error !== undefined && (
            <ErrorAlert error={new Error(FAILURES.get(error) ?? `You were not signed in (${error}).`)} />
          )}
          <SignInForm
            returnTo={returnTo}
            project={projectOfPath(returnTo)}
            onSignedIn={() => {
              // Nothing of a former session may be shown.
              location.assign(`${serviceUrl}${returnTo}`);
            }}
          />
        </Stack>
      </Paper>
    </Center>
  );
}
