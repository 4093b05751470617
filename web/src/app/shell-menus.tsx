import { ActionIcon, Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { CaretSortIcon, MoonIcon, PersonIcon, SunIcon } from '@radix-ui/react-icons';
import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session';
import { lazyDialog } from '../components/lazy-component';
import { useOpener } from '../components/use-opener';
import classes from './shell.module.css';
import { useEnterProject } from './use-enter-project';
import { useProject } from './use-project';

const ProjectMenu = lazyDialog(() => import('./shell-menu-items').then((items) => items.ProjectMenu));
const UserMenuItems = lazyDialog(() => import('./shell-menu-items').then((items) => items.UserMenuItems));

/** The project of the page, and the others that the user can enter. */
export function ProjectSwitcher() {
  const project = useProject();
  const enter = useEnterProject();
  const [opener, anchor] = useOpener('menu', ProjectMenu.preload);
  return (
    <>
      <Button
        {...opener}
        variant="default"
        rightSection={<CaretSortIcon aria-hidden />}
        loading={enter.isPending}
        className={classes.project}
        aria-label={`Project ${project.name}`}
      >
        <span className={classes.projectName}>{project.name}</span>
      </Button>
      {anchor && (
        <ProjectMenu
          {...anchor}
          onEnter={(id) => {
            enter.mutate({ id });
          }}
        />
      )}
    </>
  );
}

export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <ActionIcon
      aria-label={`Use the ${other} colours`}
      onClick={() => {
        setColorScheme(other);
      }}
    >
      {scheme === 'dark' ? <SunIcon aria-hidden /> : <MoonIcon aria-hidden />}
    </ActionIcon>
  );
}

/** Who is signed in, and the way out. */
export function UserMenu() {
  const { username } = useSuspenseQuery(sessionQuery).data.user;
  const [opener, anchor] = useOpener('menu', UserMenuItems.preload);
  return (
    <>
      <ActionIcon {...opener} aria-label={`User ${username}`}>
        <PersonIcon aria-hidden />
      </ActionIcon>
      {anchor && <UserMenuItems {...anchor} />}
    </>
  );
}
