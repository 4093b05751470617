import {
  ActionIcon,
  Button,
  Menu,
  ScrollArea,
  Text,
  TextInput,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import {
  CaretSortIcon,
  CheckIcon,
  ExitIcon,
  IdCardIcon,
  MoonIcon,
  PersonIcon,
  SunIcon,
} from '@radix-ui/react-icons';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import classes from './shell.module.css';
import { rightsOf, sessionQuery } from '../api/session';
import { useEnterProject } from './use-enter-project';
import { useProject } from './use-project';
import { useSignOut } from './use-sign-out';

/** With more projects than this, the menu has a field that filters them. */
const MAX_UNFILTERED = 10;

/** The project of the page, and the others that the user can enter. */
export function ProjectSwitcher() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const project = useProject();
  const [filter, setFilter] = useState('');
  const enter = useEnterProject();
  const shown = session.projects.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
  return (
    <Menu
      position="bottom-start"
      onClose={() => {
        setFilter('');
      }}
    >
      <Menu.Target>
        <Button
          variant="default"
          rightSection={<CaretSortIcon aria-hidden />}
          loading={enter.isPending}
          className={classes.project}
          aria-label={`Project ${project.name}`}
        >
          {project.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Projects</Menu.Label>
        {session.projects.length > MAX_UNFILTERED && (
          <TextInput
            aria-label="Filter projects"
            placeholder="Filter"
            value={filter}
            onChange={(event) => {
              setFilter(event.currentTarget.value);
            }}
          />
        )}
        <ScrollArea.Autosize mah={320}>
          {shown.map(({ id, name }) => (
            <Menu.Item
              key={id}
              leftSection={id === project.id ? <CheckIcon aria-label="current" /> : <span />}
              onClick={() => {
                enter.mutate({ id });
              }}
            >
              {name}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
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
  const { data: session } = useSuspenseQuery(sessionQuery);
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { username } = session.user;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={`User ${username}`}>
          <PersonIcon aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown maw={280}>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {username}
          </Text>
          <Text size="xs">{rightsOf(session)}</Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<IdCardIcon aria-hidden />} onClick={() => void navigate({ to: '/account' })}>
          Account and API keys
        </Menu.Item>
        <Menu.Item
          leftSection={<ExitIcon aria-hidden />}
          onClick={() => {
            signOut.mutate();
          }}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
