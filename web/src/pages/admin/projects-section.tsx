import { useState } from 'react';
import type { components } from '@muster/api-types';
import { FormDialog } from '../../components/form-dialog';
import { FormTextInput } from '../../components/form-text-input';
import { ManagedList, type FormProps } from '../../components/managed-list';
import { planCreate, planDelete, planUpdate } from '../../components/resource-write';
import type { SmallColumn } from '../../components/small-table';
import { EmptyState } from '../../components/states';
import { TimeStamp } from '../../components/time-stamp';
import { useSmallList } from '../../components/use-small-list';

type Project = components['schemas']['Project'];

const PATH = '/v1/projects';

const nameOf = ({ name }: Project): string => name;

/** All projects of the service, for root. */
export function ProjectsSection() {
  const list = useSmallList<Project>(['projects', 'list'], PATH, { sort_keys: ['name'] }, { nameOf });
  return (
    <ManagedList
      label="projects"
      list={list}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      nameOf={nameOf}
      create="Create a project"
      form={(props) => <ProjectForm {...props} />}
      edit="Rename"
      planDelete={({ id, name, version }) =>
        planDelete(
          { title: `Delete the project ${name}`, command: ['muster', 'project', 'delete', name] },
          `${PATH}/${id}`,
          version,
        )
      }
      empty={<EmptyState title="No projects">Create one.</EmptyState>}
    />
  );
}

const COLUMNS: readonly SmallColumn<Project>[] = [
  { header: 'Project', render: ({ name }) => name },
  { header: 'Id', render: ({ id }) => <code>{id}</code> },
  { header: 'Created', render: ({ created_at }) => <TimeStamp time={created_at} /> },
];

function ProjectForm({ base, onClose }: FormProps<Project>) {
  const [name, setName] = useState(base?.name ?? '');
  const plan = () => {
    if (!base)
      return planCreate(
        { title: `Create the project ${name}`, command: ['muster', 'project', 'create', name] },
        PATH,
        { name },
      );
    const command = ['muster', 'project', 'update', base.name, '--name', name];
    return planUpdate(
      { title: `Rename the project ${base.name} to ${name}`, command },
      `${PATH}/${base.id}`,
      base,
      { name },
    );
  };
  return (
    <FormDialog
      title={base ? `Rename the project ${base.name}` : 'Create a project'}
      plan={plan}
      onApplied={onClose}
      onClose={onClose}
    >
      <FormTextInput
        name="name"
        isFirst
        label="Name"
        description="Unique among all projects."
        required
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
    </FormDialog>
  );
}
