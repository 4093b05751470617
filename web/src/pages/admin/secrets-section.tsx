import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { components } from '@muster/api-types';
import { jsonText } from '../../api/exact-json';
import { useProjectId } from '../../app/use-project';
import { FormDialog } from '../../components/form-dialog';
import { ManagedList, type FormProps } from '../../components/managed-list';
import type { PlannedWrite } from '../../components/previewed-write';
import { planDelete } from '../../components/resource-write';
import type { SmallColumn } from '../../components/small-table';
import { EmptyState } from '../../components/states';
import { TimeStamp } from '../../components/time-stamp';
import { useSmallList } from '../../components/use-small-list';

type Secret = components['schemas']['AccessSecret'];

const PATH = '/v1/access-secrets';

/** The access secrets of the project. Their content is never read. */
export function SecretsSection() {
  const project_id = useProjectId();
  const list = useSmallList<Secret>(['access-secrets', 'list'], PATH, { project_id });
  return (
    <ManagedList
      label="access secrets"
      list={list}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      nameOf={nameOf}
      create="Create an access secret"
      form={(props) => <SecretForm {...props} />}
      edit="Replace"
      planDelete={(secret) =>
        planDelete({ title: `Delete ${nameOf(secret)}` }, `${PATH}/${secret.id}`, secret.version)
      }
      empty={
        <EmptyState title="No access secrets">
          Create one, and name its id as the <code>access_secret_id</code> of devices.
        </EmptyState>
      }
    />
  );
}

const nameOf = ({ id }: Secret): string => `access secret ${id}`;

const COLUMNS: readonly SmallColumn<Secret>[] = [
  { header: 'Id', render: ({ id }) => <code>{id}</code> },
  { header: 'UUID', render: ({ uuid }) => <code>{uuid}</code> },
  { header: 'Created', render: ({ created_at }) => <TimeStamp time={created_at} /> },
  {
    header: 'Replaced',
    render: ({ updated_at }) => (updated_at === null ? 'never' : <TimeStamp time={updated_at} />),
  },
];

function SecretForm({ base, onClose }: FormProps<Secret>) {
  const [cert, setCert] = useState('');
  const title = base ? `Replace ${nameOf(base)}` : 'Create an access secret';
  return (
    <FormDialog
      title={title}
      plan={() => planSecret(title, base, cert)}
      onApplied={onClose}
      onClose={onClose}
    >
      <Textarea
        label="Content"
        description="A certificate or key. It is stored encrypted, and not shown again here."
        autosize
        minRows={4}
        maxRows={16}
        required
        spellCheck={false}
        autoComplete="off"
        data-autofocus
        value={cert}
        onChange={(event) => {
          setCert(event.currentTarget.value);
        }}
      />
    </FormDialog>
  );
}

/** Without a conflict to resolve: the content of both sides would have to be shown. */
const planSecret = (title: string, base: Secret | undefined, cert: string): PlannedWrite => ({
  title,
  shownBody: jsonText({ cert: '…' }),
  request: {
    ...(base
      ? { method: 'PUT', path: `${PATH}/${base.id}`, headers: { 'If-Match': `"${base.version}"` } }
      : { method: 'POST', path: PATH }),
    body: jsonText({ cert }),
  },
});
