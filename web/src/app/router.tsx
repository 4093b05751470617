import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  retainSearchParams,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import * as v from 'valibot';
import { isStatus } from '../api/errors';
import { pagesUrl, pageProject, pathOf, projectPath, serviceUrl } from '../api/page-project';
import { sessionQuery } from '../api/session';
import { lazyPage } from '../components/lazy-component';
import { EmptyState, ErrorState, LoadingState } from '../components/states';
import { RouteLink } from '../components/resource-link';
import { UnreadableAddress } from '../components/unreadable-address';
import { adminSearch } from '../pages/admin/admin-search';
import { auditSearch, auditsSearch } from '../pages/audits/audit-search';
import { netImpactSearch } from '../pages/net-impact/net-impact-search';
import { changeSearch } from '../pages/change/change-search';
import { changesSearch } from '../pages/changes/changes-search';
import { compareSearch } from '../pages/compare/compare-search';
import { prefetchDevices } from '../pages/devices/device-list-query';
import { deviceListSearch } from '../pages/devices/device-list-search';
import { deviceSearch } from '../pages/device/device-search';
import { mapSearch } from '../pages/map/map-search';
import { overviewSearch } from '../pages/overview/overview-search';
import { proposalSearch } from '../pages/proposal/proposal-search';
import { proposalsSearch } from '../pages/proposals/proposals-search';
import { variableSearch } from '../pages/variable/variable-search';
import { variablesSearch } from '../pages/variables/variables-search';
import { inventoryListSearch, inventorySearch } from '../pages/inventory/inventory-search';
import { parseSearch, stringifySearch, textParam, unreadableParameters } from './search-params';
import { Shell } from './shell';

interface RouterContext {
  readonly queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Outlet });

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: v.object({
    return_to: v.fallback(textParam, undefined),
    error: v.fallback(textParam, undefined),
  }),
  component: lazyPage(() => import('../pages/sign-in/sign-in-page'), 'SignInPage'),
});

/** The parent of all pages that need a session. */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient
      .query({ ...sessionQuery, staleTime: 'static' })
      .catch((error: unknown) => {
        if (isStatus(error, 401))
          throw redirect({ to: '/sign-in', search: { return_to: pathOf(location.href) } });
        throw error;
      });
    // An address without a project means that of the session.
    if (pageProject === undefined)
      throw redirect({
        href: `${serviceUrl}${projectPath(session.project.id)}${location.href}`,
        reloadDocument: true,
        replace: true,
      });
  },
  component: Shell,
});

const overviewRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  validateSearch: overviewSearch,
  // Its numbers are those of the whole fleet.
  staticData: { liveInterval: 60_000 },
  component: lazyPage(() => import('../pages/overview/overview-page'), 'OverviewPage'),
});

const mapRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/map',
  validateSearch: mapSearch,
  staticData: { liveInterval: 60_000 },
  component: lazyPage(() => import('../pages/map/map-page'), 'MapPage'),
});

const devicesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices',
  validateSearch: deviceListSearch,
  staticData: {
    prefetch: (queryClient, search, project) => {
      const { success, output } = v.safeParse(deviceListSearch, search);
      if (success) prefetchDevices(queryClient, output, project);
    },
  },
  component: lazyPage(() => import('../pages/devices/device-list-page'), 'DeviceListPage'),
});

const deviceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/$collection/$id',
  validateSearch: deviceSearch,
  // Links between pages that can show the past keep the time.
  search: { middlewares: [retainSearchParams(['at'])] },
  staticData: { showsPast: true, liveInterval: 5_000 },
  component: lazyPage(() => import('../pages/device/device-page'), 'DevicePage'),
});

const changesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/changes',
  validateSearch: changesSearch,
  component: lazyPage(() => import('../pages/changes/changes-page'), 'ChangesPage'),
});

const netImpactRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/changes/between',
  validateSearch: netImpactSearch,
  component: lazyPage(() => import('../pages/net-impact/net-impact-page'), 'NetImpactPage'),
});

const compareRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/compare',
  validateSearch: compareSearch,
  component: lazyPage(() => import('../pages/compare/compare-page'), 'ComparePage'),
});

const changeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/changes/$id',
  validateSearch: changeSearch,
  component: lazyPage(() => import('../pages/change/change-page'), 'ChangePage'),
});

const variablesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/variables',
  validateSearch: variablesSearch,
  component: lazyPage(() => import('../pages/variables/variables-page'), 'VariablesPage'),
});

const variableRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/variables/$key',
  validateSearch: variableSearch,
  component: lazyPage(() => import('../pages/variable/variable-page'), 'VariablePage'),
});

const inventoryListRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/inventory/$collection',
  validateSearch: inventoryListSearch,
  component: lazyPage(() => import('../pages/inventory/inventory-list-page'), 'InventoryListPage'),
});

const inventoryRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/inventory/$collection/$id',
  validateSearch: inventorySearch,
  search: { middlewares: [retainSearchParams(['at'])] },
  staticData: { showsPast: true, liveInterval: 5_000 },
  component: lazyPage(() => import('../pages/inventory/inventory-page'), 'InventoryPage'),
});

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  component: lazyPage(() => import('../pages/account/account-page'), 'AccountPage'),
});

const adminRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin',
  validateSearch: adminSearch,
  component: lazyPage(() => import('../pages/admin/admin-page'), 'AdminPage'),
});

const importRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/import',
  component: lazyPage(() => import('../pages/import/import-page'), 'ImportPage'),
});

const auditsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/audits',
  validateSearch: auditsSearch,
  component: lazyPage(() => import('../pages/audits/audits-page'), 'AuditsPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/audits/$id',
  validateSearch: auditSearch,
  component: lazyPage(() => import('../pages/audits/audit-page'), 'AuditPage'),
});

const proposalsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/proposals',
  validateSearch: proposalsSearch,
  component: lazyPage(() => import('../pages/proposals/proposals-page'), 'ProposalsPage'),
});

const proposalRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/proposals/$id',
  validateSearch: proposalSearch,
  component: lazyPage(() => import('../pages/proposal/proposal-page'), 'ProposalPage'),
});

/** Any other address: within the frame, so that its navigation leads on. */
const unknownRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/$',
  component: NoSuchPage,
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  signedInRoute.addChildren([
    overviewRoute,
    mapRoute,
    devicesRoute,
    deviceRoute,
    inventoryListRoute,
    inventoryRoute,
    changesRoute,
    netImpactRoute,
    changeRoute,
    compareRoute,
    variablesRoute,
    variableRoute,
    accountRoute,
    adminRoute,
    importRoute,
    auditsRoute,
    auditRoute,
    proposalsRoute,
    proposalRoute,
    unknownRoute,
  ]),
]);

/** The pages of the application. The URL is their state: filters, order, columns, tab and point in time. */
export function createAppRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    basepath: new URL(`${pagesUrl}/`).pathname,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // Back leads to where the page was scrolled. Lists remember more: see list-position.ts.
    scrollRestoration: true,
    scrollToTopSelectors: ['[data-scroll-restoration-id="page"]'],
    defaultPendingComponent: () => <LoadingState what="the page" />,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NoSuchPage,
  });
  // All at once, the session first: a browser sends few requests at a time.
  const [matched] = router.getMatchedRoutes(router.latestLocation.pathname);
  // A failure is that of the route, which reads the session, too.
  if (matched.some(({ id }) => id === signedInRoute.id))
    queryClient.query(sessionQuery).catch(() => undefined);
  const { component: page, staticData } = matched.at(-1)?.options ?? {};
  if (pageProject !== undefined)
    staticData?.prefetch?.(queryClient, router.latestLocation.search, pageProject);
  if (isPreloadable(page)) setTimeout(() => void page.preload());
  return router;
}

const isPreloadable = (page: unknown): page is { readonly preload: () => Promise<void> } =>
  typeof page === 'function' && 'preload' in page && typeof page.preload === 'function';

function NoSuchPage() {
  return (
    <EmptyState isPage title="No such page">
      The address is wrong, or the page was moved. Go to the <RouteLink to="/devices">devices</RouteLink>.
    </EmptyState>
  );
}

function PageError({ error, reset }: ErrorComponentProps) {
  const parameters = unreadableParameters(error);
  if (parameters.length > 0) return <UnreadableAddress parameters={parameters} />;
  return <ErrorState isPage error={error} what="the page" onRetry={reset} />;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
