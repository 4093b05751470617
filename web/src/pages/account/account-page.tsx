import { Button, Group, Stack, Title } from '@mantine/core';
import { ExitIcon } from '@radix-ui/react-icons';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { isAdmin, rightsOf, sessionQuery } from '../../api/session';
import { useSignOut } from '../../app/use-sign-out';
import { ApiKeys } from '../../components/api-keys';
import { PageTitle } from '../../components/page-title';
import { Member, Members } from '../../components/resource-members';
import { ErrorAlert } from '../../components/states';
import { TimeStamp } from '../../components/time-stamp';

const METHODS = { 'api-key': 'API key', oidc: 'identity provider' } as const;

/** Who is signed in, until when, and with which rights; and the user's own API keys. */
export function AccountPage() {
  // The session ends later with each request.
  const { data: session } = useSuspenseQuery({ ...sessionQuery, staleTime: 0 });
  const { data: caller } = useQuery({
    queryKey: ['whoami'],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/whoami', { signal })),
  });
  const signOut = useSignOut();
  const { user, project, method, created_at, expires_at, idle_expires_at } = session;
  return (
    <Stack gap="md" maw={960}>
      <Group justify="space-between">
        <PageTitle title={`Account of ${user.username}`}>{user.username}</PageTitle>
        <Button
          variant="default"
          leftSection={<ExitIcon aria-hidden />}
          loading={signOut.isPending}
          onClick={() => {
            signOut.mutate();
          }}
        >
          Sign out
        </Button>
      </Group>
      {signOut.error && <ErrorAlert error={signOut.error} />}
      <Members label="Session">
        <Member name="Project">
          {project.name} <code>{project.id}</code>
        </Member>
        <Member name="Rights">{rightsOf(session)}</Member>
        <Member name="Signed in">
          <TimeStamp time={created_at} />, with the {METHODS[method]}
        </Member>
        <Member name="Session ends">
          <TimeStamp time={expires_at} />, or without requests at <TimeStamp time={idle_expires_at} />
        </Member>
      </Members>
      <Title order={2}>API keys</Title>
      <ApiKeys
        user={user}
        currentKeyId={caller?.key_id}
        defaultExpiry={isAdmin(session) ? 'never' : 'with the key of this session'}
      />
    </Stack>
  );
}
