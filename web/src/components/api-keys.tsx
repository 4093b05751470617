import { Text } from '@mantine/core';
import { useState } from 'react';
import type { components } from '@muster/api-types';
import { FormDialog } from './form-dialog';
import { FormTextInput } from './form-text-input';
import { ManagedList } from './managed-list';
import type { PlannedWrite } from './previewed-write';
import { planCreate } from './resource-write';
import { ShownOnce } from './shown-once';
import type { SmallColumn } from './small-table';
import { EmptyState } from './states';
import { TimeStamp } from './time-stamp';
import { useSmallList } from './use-small-list';

type ApiKey = components['schemas']['ApiKey'];

interface Props {
  readonly user: { readonly id: number; readonly username: string };
  /** The id of the key that the session was started with, if it is one of this user. */
  readonly currentKeyId?: string | null | undefined;
  /** When a new key expires if no time is given. */
  readonly defaultExpiry: string;
}

/** The API keys of a user: ids, states and times. A new key is shown once. */
export function ApiKeys({ user, currentKeyId, defaultExpiry }: Props) {
  const path = `/v1/users/${user.id}/api-keys`;
  const list = useSmallList<ApiKey>(['users', user.id, 'api-keys'], path, { sort_dir: 'desc' });
  return (
    <ManagedList
      label="API keys"
      list={list}
      columns={columnsOf(currentKeyId)}
      keyOf={({ id }) => id}
      nameOf={({ key_id }) => key_id}
      create="Create an API key"
      form={({ onClose }) => (
        <NewKeyForm user={user} path={path} defaultExpiry={defaultExpiry} onClose={onClose} />
      )}
      planDelete={({ key_id, state }): PlannedWrite | undefined =>
        state === 'in use'
          ? {
              title: `Revoke the API key ${key_id} of ${user.username}`,
              request: { method: 'DELETE', path: `${path}/${key_id}` },
              command: ['muster', 'user', 'key', 'revoke', user.username, key_id],
            }
          : undefined
      }
      deleteVerb="Revoke"
      empty={<EmptyState title="No API keys">Create one for scripts, or to sign in.</EmptyState>}
    />
  );
}

const columnsOf = (currentKeyId: string | null | undefined): readonly SmallColumn<ApiKey>[] => [
  {
    header: 'Key id',
    render: ({ key_id }) => (
      <span>
        <code>{key_id}</code>
        {key_id === currentKeyId && (
          <Text span size="xs" c="dimmed">
            {' '}
            this session; revoking it signs you out
          </Text>
        )}
      </span>
    ),
  },
  { header: 'State', render: ({ state }) => state },
  { header: 'Created', render: ({ created_at }) => <TimeStamp time={created_at} /> },
  {
    header: 'Expires',
    render: ({ expires_at }) => (expires_at === null ? 'never' : <TimeStamp time={expires_at} />),
  },
  {
    header: 'Revoked',
    render: ({ revoked_at }) => (revoked_at === null ? '–' : <TimeStamp time={revoked_at} />),
  },
  { header: 'Note', render: ({ note }) => note ?? '–' },
];

/** The UTC time of the API for a local time of an input. */
const utcOf = (local: string): string => new Date(local).toISOString().slice(0, 19);

interface NewKeyProps extends Pick<Props, 'user' | 'defaultExpiry'> {
  readonly path: string;
  readonly onClose: () => void;
}

function NewKeyForm({ user, path, defaultExpiry, onClose }: NewKeyProps) {
  const [note, setNote] = useState('');
  const [expires, setExpires] = useState('');
  const [apiKey, setApiKey] = useState<string>();
  if (apiKey !== undefined)
    return <ShownOnce title={`New API key of ${user.username}`} secret={apiKey} onClose={onClose} />;
  return (
    <FormDialog
      title={`Create an API key of ${user.username}`}
      plan={() => {
        const members = {
          ...(note === '' ? {} : { note }),
          ...(expires === '' ? {} : { expires_at: utcOf(expires) }),
        };
        const options = [
          ...(note === '' ? [] : ['--note', note]),
          ...(expires === '' ? [] : ['--expires', utcOf(expires)]),
        ];
        const command = ['muster', 'user', 'key', 'new', user.username, '--keep', ...options];
        const title = `Create an API key of ${user.username}`;
        return planCreate({ title, command, hasSecretResponse: true }, path, members);
      }}
      onApplied={(body) => {
        setApiKey(apiKeyIn(body));
      }}
      onClose={onClose}
    >
      <FormTextInput
        name="note"
        isFirst
        label="Note"
        description="What it is for, such as the program that uses it."
        value={note}
        onChange={(event) => {
          setNote(event.currentTarget.value);
        }}
      />
      <FormTextInput
        name="expires_at"
        type="datetime-local"
        label="Expires"
        description={`In local time. Empty: ${defaultExpiry}.`}
        value={expires}
        onChange={(event) => {
          setExpires(event.currentTarget.value);
        }}
      />
    </FormDialog>
  );
}

/** The API key in the response that creates it or its user. */
export const apiKeyIn = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'api_key' in body ? String(body.api_key) : '';
