import { Box, Burger, Kbd } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { useIsFetching } from '@tanstack/react-query';
import { Link, Outlet, useMatches } from '@tanstack/react-router';
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { lazyComponent, lazyDialog, preloadOpened } from '../components/lazy-component';
import { PastBanner, TimeControl, usePointInTime } from '../components/point-in-time';
import { RouteLink } from '../components/resource-link';
import { ShowDialog } from '../components/show-dialog';
import { Connection, NewVersion } from './connection';
import { PROPOSALS_PATH } from './navigation';
import { closeSearch, openSearch, searchState } from './search-keys';
import { SessionGuard } from './session-guard';
import classes from './shell.module.css';
import { ColorSchemeToggle, ProjectSwitcher, UserMenu } from './shell-menus';
import { useIsProjectInaccessible } from './use-is-project-inaccessible';
import { useNavigation } from './use-navigation';
import { PageProjectName, useProject } from './use-project';
import { useShortcuts } from './use-shortcuts';

const WaitingCount = lazyComponent(
  () => import('./waiting-count').then(({ WaitingCount: component }) => component),
  { failure: () => null },
);

const ViewsSection = lazyComponent(
  () => import('./views-section').then(({ ViewsSection: component }) => component),
  { failure: () => null },
);

const Search = lazyDialog(() => import('./search').then(({ Search: component }) => component));

const Shortcuts = lazyDialog(() => import('./shortcuts').then(({ Shortcuts: component }) => component));

const Live = lazyComponent(() => import('./live').then(({ Live: component }) => component), {
  failure: () => null,
});

const Messages = lazyComponent(() => import('./messages').then(({ Messages: component }) => component));

const EditShortcuts = lazyComponent(
  () => import('./edit-shortcuts').then(({ EditShortcuts: component }) => component),
  {
    failure: () => null,
  },
);

const KeepFocus = lazyComponent(() => import('./keep-focus').then(({ KeepFocus: component }) => component), {
  failure: () => null,
});

const InaccessibleProject = lazyComponent(() =>
  import('./inaccessible-project').then(({ InaccessibleProject: component }) => component),
);

/** The frame of every page: navigation, project, search and the user's menu. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const isSearching = useSyncExternalStore(searchState.subscribe, searchState.isOpen);
  const [showsShortcuts, shortcuts] = useDisclosure(false);
  const entries = useNavigation();
  const path = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '' });
  const liveInterval = useMatches({
    select: (matches) =>
      matches.findLast(({ staticData }) => staticData.liveInterval !== undefined)?.staticData.liveInterval,
  });
  const isNow = usePointInTime() === undefined;
  const { name: project } = useProject();
  const isInaccessible = useIsProjectInaccessible();
  const [hasOpened, setOpened] = useState(!isInaccessible);
  if (!isInaccessible && !hasOpened) setOpened(true);
  useShortcuts(shortcuts.open);
  const [dialog, setDialog] = useState<ReactNode>();
  const [dialogPath, setDialogPath] = useState(path);
  if (path !== dialogPath) {
    setDialogPath(path);
    setDialog(undefined);
  }
  // Not before what the page shows.
  const isReading = useIsFetching() > 0;
  const wasReading = useRef(false);
  useEffect(() => {
    if (wasReading.current && !isReading) preloadOpened();
    wasReading.current = isReading;
  }, [isReading]);
  return (
    <ShowDialog value={setDialog}>
      <div className={classes.frame}>
        <a className={classes.skip} href="#main">
          Skip to content
        </a>
        <header className={classes.header}>
          <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
          <RouteLink to="/" className={classes.brand} underline="never">
            Muster
          </RouteLink>
          <ProjectSwitcher />
          <SearchBox />
          <Box flex={1} visibleFrom="sm" />
          <TimeControl />
          <ColorSchemeToggle />
          <UserMenu />
        </header>
        <nav className={classes.navbar} data-open={isOpen || undefined} aria-label="Pages">
          {entries.map(({ title, icon: Icon, letter, ...page }) => (
            <Link
              key={title}
              {...page}
              title={`G ${letter.toUpperCase()}`}
              className={classes.link}
              onClick={close}
            >
              <Icon aria-hidden />
              {title}
              {page.to === PROPOSALS_PATH && !isInaccessible && <WaitingCount page={path} />}
            </Link>
          ))}
          {!isInaccessible && <ViewsSection onOpen={close} />}
        </nav>
        <main className={classes.main} id="main" tabIndex={-1}>
          <div className={classes.page} data-scroll-restoration-id="page">
            <Connection />
            <NewVersion />
            <PastBanner />
            {/* What was typed stays when the project is deleted; a page of one that cannot be entered is not read at all. */}
            {hasOpened && (
              <PageProjectName value={project}>
                <Outlet />
              </PageProjectName>
            )}
          </div>
          {/* Beside the page, so that they cover nothing of it. */}
          <Messages />
        </main>
        <SessionGuard />
        <KeepFocus />
        <EditShortcuts />
        {liveInterval !== undefined && isNow && !isInaccessible && <Live interval={liveInterval} />}
        {isInaccessible && <InaccessibleProject />}
        {isSearching && <Search onClose={closeSearch} onShortcuts={shortcuts.open} />}
        {showsShortcuts && <Shortcuts onClose={shortcuts.close} />}
        {dialog}
      </div>
    </ShowDialog>
  );
}

const SearchBox = () => (
  <button type="button" className={classes.search} onClick={openSearch}>
    <MagnifyingGlassIcon aria-hidden />
    <span className={classes.searchText}>Search</span>
    <Kbd size="xs">Ctrl-K</Kbd>
  </button>
);
