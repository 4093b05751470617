import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { components } from '@muster/api-types';
import { api, unwrap } from '../../api/client';
import { useProjectId } from '../../app/use-project';
import { ApiKeys } from '../../components/api-keys';
import { lazyDialog } from '../../components/lazy-component';
import { ManagedList, type FormProps } from '../../components/managed-list';
import { RouteLink } from '../../components/resource-link';
import { ResourceProject } from '../../components/resource-project';
import { planDelete } from '../../components/resource-write';
import type { SmallColumn } from '../../components/small-table';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { TimeStamp } from '../../components/time-stamp';
import { useSmallList } from '../../components/use-small-list';

type User = components['schemas']['User'];

const route = getRouteApi('/signed-in/admin');
const PATH = '/v1/users';

const UserForm = lazyDialog<FormProps<User>>(() => import('./user-form').then(({ UserForm: form }) => form));

/** The users of the project with their roles, or the API keys of one of them. */
export function UsersSection() {
  const { id } = route.useSearch();
  return id === undefined ? <UserList /> : <UserKeys id={id} />;
}

const nameOf = ({ username }: User): string => username;

function UserList() {
  const project_id = useProjectId();
  const list = useSmallList<User>(
    ['users', 'list'],
    PATH,
    { project_id, sort_keys: ['username'] },
    { nameOf },
  );
  return (
    <ManagedList
      label="users"
      list={list}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      nameOf={nameOf}
      create="Create a user"
      form={(props) => <UserForm {...props} />}
      edit="Edit"
      planDelete={({ id, username, version }) =>
        planDelete(
          {
            title: `Delete the user ${username}, and revoke their API keys`,
            command: ['muster', 'user', 'delete', username],
          },
          `${PATH}/${id}`,
          version,
        )
      }
      empty={<EmptyState title="No users">Create one: the API key is shown once.</EmptyState>}
    />
  );
}

const COLUMNS: readonly SmallColumn<User>[] = [
  {
    header: 'User',
    render: ({ id, username }) => (
      <RouteLink to="/admin" search={{ section: 'users', id }} size="sm" title="API keys">
        {username}
      </RouteLink>
    ),
  },
  {
    header: 'Rights',
    render: ({ is_root, is_admin }) => (is_root ? 'root' : is_admin ? 'admin' : 'by roles'),
  },
  { header: 'Roles', render: ({ roles }) => <code>{roles.length === 0 ? '–' : roles.join(', ')}</code> },
  { header: 'Created', render: ({ created_at }) => <TimeStamp time={created_at} /> },
];

function UserKeys({ id }: { readonly id: number }) {
  const {
    data: user,
    error,
    refetch,
  } = useQuery({
    queryKey: ['users', id, 'item'],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/users/{id}', { params: { path: { id } }, signal })),
  });
  if (error && !user) return <ErrorState error={error} what="the user" onRetry={() => void refetch()} />;
  if (!user) return <LoadingState what="the user" />;
  return (
    <Stack gap="xs">
      <RouteLink to="/admin" search={{}} size="sm">
        All users
      </RouteLink>
      <Title order={2}>API keys of {user.username}</Title>
      <ResourceProject id={user.project_id}>
        <ApiKeys user={user} defaultExpiry="never" />
      </ResourceProject>
    </Stack>
  );
}
