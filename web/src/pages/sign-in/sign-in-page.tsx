import { Button, Center, Divider, Paper, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { serviceUrl } from '../../api/client';
import { isStatus } from '../../api/errors';
import { signInMethodsQuery, startSession } from '../../api/session';
import { PageTitle } from '../../components/page-title';
import { ErrorAlert } from '../../components/states';

const route = getRouteApi('/sign-in');

/** The path of the application, without a `/` at its end. */
const basePath = new URL(serviceUrl).pathname.replace(/\/$/, '');

/** Only a path of this application: a link must not lead elsewhere after the sign-in. */
const safePath = (path: string | undefined): string =>
  path !== undefined && /^\/(?![/\\])/.test(path) ? path : '/';

/** Sign-in with an API key, and with the identity provider if there is one. */
export function SignInPage() {
  const { return_to, error } = route.useSearch();
  const { data: offered, error: failure } = useQuery(signInMethodsQuery);
  const returnTo = safePath(return_to);
  const isOffered = (method: 'api-key' | 'oidc') => offered?.methods.includes(method) ?? false;
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
          {failure && <ErrorAlert error={failure} />}
          {isOffered('oidc') && (
            <Button
              component="a"
              size="sm"
              href={`${serviceUrl}/v1/session/oidc?${new URLSearchParams({ return_to: returnTo }).toString()}`}
            >
              Sign in with {offered?.oidc_name ?? 'the identity provider'}
            </Button>
          )}
          {isOffered('oidc') && isOffered('api-key') && <Divider label="or" />}
          {isOffered('api-key') && <ApiKeyForm returnTo={returnTo} />}
        </Stack>
      </Paper>
    </Center>
  );
}

function ApiKeyForm({ returnTo }: { readonly returnTo: string }) {
  const [apiKey, setApiKey] = useState('');
  const queryClient = useQueryClient();
  const router = useRouter();
  const signIn = useMutation({
    mutationFn: () => startSession(apiKey.trim()),
    onSuccess: () => {
      queryClient.clear();
      router.history.push(`${basePath}${returnTo}`);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate();
      }}
    >
      <Stack gap="sm">
        <PasswordInput
          label="API key"
          description="mst_…, from an admin or from muster-admin"
          autoComplete="current-password"
          autoFocus
          required
          withAsterisk={false}
          size="sm"
          value={apiKey}
          error={isStatus(signIn.error, 401) ? 'Unknown, expired or revoked key.' : undefined}
          onChange={(event) => {
            setApiKey(event.currentTarget.value);
          }}
        />
        {signIn.error && !isStatus(signIn.error, 401) && <ErrorAlert error={signIn.error} />}
        <Button type="submit" size="sm" loading={signIn.isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
