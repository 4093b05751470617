import { Button, Group } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEnterProject } from '../app/use-enter-project';
import { ResourceProjectId, useNamedProject, useProject } from '../app/use-project';
import { Notice } from './notice';
import { ErrorAlert } from './states';

interface Props {
  /** The id of the project to which the resource belongs. */
  readonly id: string;
  readonly children: ReactNode;
}

/** The page of a resource. If it belongs to another project, which only root sees, its header says so. */
export function ResourceProject({ id, children }: Props) {
  const page = useProject();
  return (
    <ResourceProjectId value={id}>
      {id !== page.id && <ProjectBanner id={id} />}
      {children}
    </ResourceProjectId>
  );
}

function ProjectBanner({ id }: { readonly id: string }) {
  const page = useProject();
  const { name } = useNamedProject(id);
  const { href } = useLocation();
  const enter = useEnterProject();
  return (
    <Notice kind="warning">
      <Group justify="space-between" gap="xs">
        <span>
          This belongs to the project <strong>{name}</strong>, not to {page.name}. What you change here is
          changed in {name}.
        </span>
        <Button
          variant="default"
          loading={enter.isPending}
          onClick={() => {
            enter.mutate({ id, path: href });
          }}
        >
          Work in {name}
        </Button>
      </Group>
      {enter.error && <ErrorAlert error={enter.error} />}
    </Notice>
  );
}
