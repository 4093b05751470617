import { Checkbox } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deviceKinds, inventoryKinds, type components } from '@muster/api-types';
import { defaultKind } from '../../api/kinds';
import { sessionQuery } from '../../api/session';
import { apiKeyIn } from '../../components/api-keys';
import { FormDialog } from '../../components/form-dialog';
import { FormTextInput } from '../../components/form-text-input';
import type { FormProps } from '../../components/managed-list';
import { changedMembers, planCreate, planUpdate } from '../../components/resource-write';
import { ShownOnce } from '../../components/shown-once';
import { useFields } from '../../components/use-fields';
import { KeyTagsInput } from './key-tags-input';

type User = components['schemas']['User'];

const PATH = '/v1/users';

/** The roles that do not name a variable. */
const WRITE_ROLES = [
  '*',
  ...[
    'audits',
    'views',
    ...[...deviceKinds, ...inventoryKinds].map(({ collection }) => collection),
  ].toSorted(),
].map((collection) => `${collection}:write`);

/** Creates a user, or changes one. The API key of a new user is shown once. */
export function UserForm({ base, onClose }: FormProps<User>) {
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
      const command = ['muster', 'user', 'update', base.username, ...userFlags(changed)];
      const title = `Change the user ${base.username}`;
      return planUpdate({ title, command }, `${PATH}/${base.id}`, base, changed);
    }
    const options = userFlags({
      ...(is_admin && { is_admin }),
      ...(is_root && { is_root }),
      ...(roles.length > 0 && { roles }),
    });
    const command = ['muster', 'user', 'create', username, ...options];
    // Only root may name `is_root`.
    const members = { username, is_admin, roles, ...(is_root ? { is_root } : {}) };
    const title = `Create the user ${username}`;
    return planCreate({ title, command, hasSecretResponse: true }, PATH, members);
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
      <FormTextInput
        name="username"
        isFirst
        label="Username"
        required
        value={fields.username}
        onChange={(event) => {
          set({ username: event.currentTarget.value });
        }}
      />
      <KeyTagsInput
        label="Roles"
        description={`What the user may write: a collection (${defaultKind.collection}:write), a variable (ntp_servers) or all with a prefix (hw_*).`}
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

/** The options of `muster user create` and `update`. */
function userFlags({
  username,
  is_admin,
  is_root,
  roles,
}: Partial<Pick<User, 'username' | 'is_admin' | 'is_root' | 'roles'>>): readonly string[] {
  return [
    ...(username === undefined ? [] : ['--name', username]),
    ...(is_admin === undefined ? [] : [is_admin ? '--admin' : '--no-admin']),
    ...(is_root === undefined ? [] : [is_root ? '--root' : '--no-root']),
    ...(roles ?? []).flatMap((role) => ['--role', role]),
    ...(roles?.length === 0 ? ['--clear', 'roles'] : []),
  ];
}
