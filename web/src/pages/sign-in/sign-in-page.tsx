import { Center, Paper, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { projectOfPath, serviceUrl } from '../../api/page-project';
import { PageTitle } from '../../components/page-title';
import { SignInForm } from '../../components/sign-in-form';
import { ErrorAlert } from '../../components/states';

const route = getRouteApi('/sign-in');

/** Only a path of this application: a link must not lead elsewhere after the sign-in. */
const safePath = (path: string | undefined): string =>
  path !== undefined && /^\/(?![/\\])/.test(path) ? path : '/';

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
            <ErrorAlert error={new Error(`The identity provider did not sign you in (${error}).`)} />
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
