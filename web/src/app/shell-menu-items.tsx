import { Menu, ScrollArea, Text, TextInput } from '@mantine/core';
import { CheckIcon, ExitIcon, IdCardIcon } from '@radix-ui/react-icons';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { rightsOf, sessionQuery } from '../api/session';
import { AnchoredMenu } from '../components/anchored-menu';
import type { AnchorProps } from '../components/use-opener';
import { useProject } from './use-project';
import { useSignOut } from './use-sign-out';

/** With more projects than this, the menu has a field that filters them. */
const MAX_UNFILTERED = 10;

interface ProjectMenuProps extends AnchorProps {
  readonly onEnter: (id: string) => void;
}

/** The projects that the user can enter. */
export function ProjectMenu({ onEnter, ...anchor }: ProjectMenuProps) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const project = useProject();
  const [filter, setFilter] = useState('');
  const shown = session.projects.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
  return (
    <AnchoredMenu
      {...anchor}
      position="bottom-start"
      onClose={() => {
        setFilter('');
        anchor.onClose();
      }}
    >
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
              onEnter(id);
            }}
          >
            {name}
          </Menu.Item>
        ))}
      </ScrollArea.Autosize>
    </AnchoredMenu>
  );
}

/** Who is signed in, and the way out. */
export function UserMenuItems(anchor: AnchorProps) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const navigate = useNavigate();
  const signOut = useSignOut();
  return (
    <AnchoredMenu {...anchor} position="bottom-end" maxWidth={280}>
      <Menu.Label>
        <Text size="sm" fw={600} c="var(--mantine-color-text)">
          {session.user.username}
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
    </AnchoredMenu>
  );
}
