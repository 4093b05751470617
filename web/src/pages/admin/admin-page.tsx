import { Tabs } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ComponentType } from 'react';
import { ApiError } from '@muster/api-types';
import { isAdmin, sessionQuery } from '../../api/session';
import { lazyComponent } from '../../components/lazy-component';
import { PageTitle } from '../../components/page-title';
import { ErrorState, LoadingState } from '../../components/states';
import { ADMIN_SECTIONS } from './admin-search';
import { UsersSection } from './users-section';

const route = getRouteApi('/signed-in/admin');

const SettingsSection = lazyComponent(
  () => import('./settings-section').then(({ SettingsSection: component }) => component),
  {
    fallback: <LoadingState what="the section" />,
  },
);
const DefinitionsSection = lazyComponent(
  () => import('./definitions-section').then(({ DefinitionsSection: component }) => component),
  {
    fallback: <LoadingState what="the section" />,
  },
);
const SecretsSection = lazyComponent(
  () => import('./secrets-section').then(({ SecretsSection: component }) => component),
  {
    fallback: <LoadingState what="the section" />,
  },
);
const ProjectsSection = lazyComponent(
  () => import('./projects-section').then(({ ProjectsSection: component }) => component),
  {
    fallback: <LoadingState what="the section" />,
  },
);

interface Section {
  readonly title: string;
  readonly Content: ComponentType;
}

const SECTIONS: Readonly<Record<(typeof ADMIN_SECTIONS)[number], Section>> = {
  users: { title: 'Users', Content: UsersSection },
  settings: { title: 'Settings', Content: SettingsSection },
  definitions: { title: 'Variable definitions', Content: DefinitionsSection },
  secrets: { title: 'Access secrets', Content: SecretsSection },
  projects: { title: 'Projects', Content: ProjectsSection },
};

/** What only admins of the project change; and the projects, for root. */
export function AdminPage() {
  const { section = 'users' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: session } = useSuspenseQuery(sessionQuery);
  // Others may read users and definitions, but change nothing here.
  if (!isAdmin(session))
    return (
      <ErrorState
        isPage
        what="the administration"
        error={
          new ApiError(403, 'forbidden', 'The administration is for admins of the project.', [], undefined)
        }
      />
    );
  const shown = ADMIN_SECTIONS.filter((name) => name !== 'projects' || session.user.is_root);
  const { Content } = SECTIONS[section];
  return (
    <>
      <PageTitle title="Administration" />
      <Tabs
        value={section}
        onChange={(value) => {
          const chosen = ADMIN_SECTIONS.find((known) => known === value);
          void navigate({ search: { section: chosen === 'users' ? undefined : chosen } });
        }}
      >
        <Tabs.List>
          {shown.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {SECTIONS[name].title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={section} pt="sm">
          <Content />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
