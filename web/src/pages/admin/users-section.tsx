import { Checkbox, Stack, TextInput, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { sessionQuery } from '../../api/session';
import { useProjectId } from '../../app/use-project';
import { apiKeyIn, ApiKeys } from '../../components/api-keys';
import { FormDialog } from '../../components/form-dialog';
import { ManagedList, type FormProps } from '../../components/managed-list';
import { RouteLink } from '../../components/resource-link';
import { ResourceProject } from '../../components/resource-project';
import { changedMembers, planCreate, planDelete, planUpdate } from '../../components/resource-write';
import { ShownOnce } from '../../components/shown-once';
import type { SmallColumn } from '../../components/small-table';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { TimeStamp } from '../../components/time-stamp';
import { useFields } from '../../components/use-fields';
import { useSmallList } from '../../components/use-small-list';
import { KeyTagsInput } from './key-tags-input';

type User = components['schemas']['UserView'];

const route = getRouteApi('/signed-in/admin');
const PATH = '/v1/users';

/** The roles that do not name a variable. */
const WRITE_ROLES = [
  '*:write',
  'audits:write',
  'cells:write',
  'clouds:write',
  'hosts:write',
  'labels:write',
  'network-devices:write',
  'regions:write',
];

/** The users of the project with their roles, or the API keys of one of them. */
export function UsersSection() {
  const { id } = route.useSearch();
  return id === undefined ? <UserList /> : <UserKeys id={id} />;
}

function UserList() {
  const project_id = useProjectId();
  const list = useSmallList<User>(['users', 'list'], PATH, { project_id, sort_keys: ['username'] });
  return (
    <ManagedList
      label="users"
      list={list}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      nameOf={({ username }) => username}
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

function UserForm({ base, onClose }: FormProps<User>) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [fields, set] = useFields({
    username: base?.username ?? '',
    is_admin: base?.is_admin ?? false,
    is_root: base?.is_root ?? false,
    roles: base?.roles ?? [],
  });
  const [apiKey, setApiKey] = useState<string>();
  if (apiKey !== undefined)
    return <ShownOnce title={`API key of ${fields.username}`} secret={apiKey} onClose={onClose} />;
  const plan = () => {
    const { username, is_admin, is_root, roles } = fields;
    if (base) {
      const changed = changedMembers(base, fields);
      if (Object.keys(changed).length === 0) return 'Nothing was changed.';
      return planUpdate({ title: `Change the user ${base.username}` }, `${PATH}/${base.id}`, base, changed);
    }
    const options = [
      ...(is_admin ? ['--admin'] : []),
      ...(is_root ? ['--root'] : []),
      ...roles.flatMap((role) => ['--role', role]),
    ];
    const command = ['muster', 'user', 'create', username, ...options];
    // Only root may name `is_root`.
    const members = { username, is_admin, roles, ...(is_root ? { is_root } : {}) };
    return planCreate({ title: `Create the user ${username}`, command }, PATH, members);
  };
  return (
    <FormDialog
      title={base ? `Edit the user ${base.username}` : 'Create a user'}
      plan={plan}
      onApplied={(body) => {
        if (base) onClose();
        else setApiKey(apiKeyIn(body));
      }}
      onClose={onClose}
    >
      <TextInput
        label="Username"
        required
        data-autofocus
        value={fields.username}
        onChange={(event) => {
          set({ username: event.currentTarget.value });
        }}
      />
      <KeyTagsInput
        label="Roles"
        description="What the user may write: a collection (hosts:write), a variable (ntp_servers) or all with a prefix (hw_*)."
        words={WRITE_ROLES}
        values={fields.roles}
        onChange={(roles) => {
          set({ roles });
        }}
      />
      <Checkbox
        label="Admin"
        description="Writes everything in the project, and administers it."
        checked={fields.is_admin}
        onChange={(event) => {
          set({ is_admin: event.currentTarget.checked });
        }}
      />
      {session.user.is_root && (
        <Checkbox
          label="Root"
          description="Writes everything in every project."
          checked={fields.is_root}
          onChange={(event) => {
            set({ is_root: event.currentTarget.checked });
          }}
        />
      )}
    </FormDialog>
  );
}

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
