import { Button, Divider, PasswordInput, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serviceUrl } from '../api/page-project';
import { isStatus } from '../api/errors';
import { enterProject, signInMethodsQuery, startSession } from '../api/session';
import { ErrorAlert } from './states';

interface Props {
  /** The path of the page that the identity provider leads back to. */
  readonly returnTo: string;
  /** The project to enter, if the user can; absent: that of the key. */
  readonly project?: string | undefined;
  /** Whether the identity provider is asked in another tab, because this one has to stay as it is. */
  readonly isInPlace?: boolean;
  /** Called once there is a session that was started with a key. */
  readonly onSignedIn: () => void;
}

/** Sign-in with an API key, and with the identity provider if there is one. */
export function SignInForm({ returnTo, project, isInPlace = false, onSignedIn }: Props) {
  const { data: offered, error } = useQuery(signInMethodsQuery);
  const isOffered = (method: 'api-key' | 'oidc') => offered?.methods.includes(method) ?? false;
  return (
    <>
      {error && <ErrorAlert error={error} />}
      {isOffered('oidc') && (
        <Button
          component="a"
          size="sm"
          href={`${serviceUrl}/v1/session/oidc?${new URLSearchParams({ return_to: returnTo }).toString()}`}
          {...(isInPlace ? { target: '_blank', rel: 'noopener' } : {})}
        >
          Sign in with {offered?.oidc_name ?? 'the identity provider'}
        </Button>
      )}
      {isOffered('oidc') && isOffered('api-key') && <Divider label="or" />}
      {isOffered('api-key') && <ApiKeyForm project={project} onSignedIn={onSignedIn} />}
    </>
  );
}

function ApiKeyForm({ project, onSignedIn }: Pick<Props, 'project' | 'onSignedIn'>) {
  const [apiKey, setApiKey] = useState('');
  const signIn = useMutation({
    mutationFn: async () => {
      const started = await startSession(apiKey.trim());
      const wanted = started.projects.find(({ id }) => id === project);
      if (wanted && wanted.id !== started.project.id) await enterProject(wanted.id);
    },
    onSuccess: onSignedIn,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // Not the form of a dialog below, which may contain this one in React's tree.
        event.stopPropagation();
        signIn.mutate();
      }}
    >
      <Stack gap="sm">
        <PasswordInput
          label="API key"
          description="mst_…, from an admin or from muster-admin"
          autoComplete="current-password"
          autoFocus
          data-autofocus
          // Escape in it does not close the dialogs below.
          data-mantine-stop-propagation
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
        <Button type="submit" size="sm" data-mantine-stop-propagation loading={signIn.isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
