import { AppShell, Box, Burger, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { Link, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { PastBanner, TimeControl } from '../components/point-in-time';
import { RouteLink } from '../components/resource-link';
import { OtherProject, useIsElsewhere } from './other-project';
import { Search } from './search';
import { SessionGuard } from './session-guard';
import classes from './shell.module.css';
import { ColorSchemeToggle, ProjectSwitcher, UserMenu } from './shell-menus';
import { useNavigation } from './use-navigation';

/** The frame of every page: navigation, project, search and the user's menu. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [isSearching, search] = useDisclosure(false);
  const entries = useNavigation();
  const isElsewhere = useIsElsewhere();
  const [hasOpened, setOpened] = useState(!isElsewhere);
  if (!isElsewhere && !hasOpened) setOpened(true);
  useHotkeys([['mod+K', search.open, { preventDefault: true }]], []);
  return (
    <AppShell
      header={{ height: 44 }}
      navbar={{ width: 184, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      transitionDuration={0}
    >
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <AppShell.Header className={classes.header}>
        <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="xs" aria-label="Navigation" />
        <RouteLink to="/" className={classes.brand} underline="never">
          Muster
        </RouteLink>
        <ProjectSwitcher />
        <SearchBox onOpen={search.open} />
        <Box flex={1} visibleFrom="sm" />
        <TimeControl />
        <ColorSchemeToggle />
        <UserMenu />
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} p="xs" aria-label="Pages">
        {entries.map(({ title, icon: Icon, ...page }) => (
          <Link key={title} {...page} className={classes.link} onClick={close}>
            <Icon aria-hidden />
            {title}
          </Link>
        ))}
      </AppShell.Navbar>
      <AppShell.Main className={classes.main} id="main" tabIndex={-1}>
        <div className={classes.page}>
          <PastBanner />
          {/* What was typed stays when another tab enters another project; a page of another one is not read at all. */}
          {hasOpened && <Outlet />}
        </div>
      </AppShell.Main>
      <SessionGuard />
      {isElsewhere && <OtherProject />}
      {isSearching && <Search onClose={search.close} />}
    </AppShell>
  );
}

const SearchBox = ({ onOpen }: { readonly onOpen: () => void }) => (
  <button type="button" className={classes.search} onClick={onOpen}>
    <MagnifyingGlassIcon aria-hidden />
    <span className={classes.searchText}>Search</span>
    <Kbd size="xs">Ctrl K</Kbd>
  </button>
);
