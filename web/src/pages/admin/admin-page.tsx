import { Tabs, Title } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, type ComponentType } from 'react';
import { ApiError } from '../../api/errors';
import { isAdmin, sessionQuery } from '../../api/session';
import { ErrorState, LoadingState } from '../../components/states';
import { ADMIN_SECTIONS } from './admin-search';
import { UsersSection } from './users-section';

const route = getRouteApi('/signed-in/admin');

const SettingsSection = lazy(() =>
  import('./settings-section').then(({ SettingsSection: component }) => ({ default: component })),
);
const DefinitionsSection = lazy(() =>
  import('./definitions-section').then(({ DefinitionsSection: component }) => ({ default: component })),
);
const SecretsSection = lazy(() =>
  import('./secrets-section').then(({ SecretsSection: component }) => ({ default: component })),
);
const ProjectsSection = lazy(() =>
  import('./projects-section').then(({ ProjectsSection: component }) => ({ default: component })),
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
      <Title order={1}>Administration</Title>
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
          <Suspense fallback={<LoadingState what="the section" />}>
            <Content />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
