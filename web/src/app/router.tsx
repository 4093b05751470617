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
import { adminSearch } from '../pages/admin/admin-search';
import { changeSearch } from '../pages/change/change-search';
import { changesSearch } from '../pages/changes/changes-search';
import { deviceListSearch } from '../pages/devices/device-list-search';
import { deviceSearch } from '../pages/device/device-search';
import { variableSearch } from '../pages/variable/variable-search';
import { variablesSearch } from '../pages/variables/variables-search';
import { inventoryListSearch, inventorySearch } from '../pages/inventory/inventory-search';
import { parseSearch, stringifySearch, textParam } from './search-params';
import { Shell } from './shell';

interface RouterContext {
  readonly queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Outlet });

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: v.object({ return_to: textParam, error: textParam }),
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
  component: lazyPage(() => import('../pages/overview/overview-page'), 'OverviewPage'),
});

const devicesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices',
  validateSearch: deviceListSearch,
  component: lazyPage(() => import('../pages/devices/device-list-page'), 'DeviceListPage'),
});

const deviceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/$collection/$id',
  validateSearch: deviceSearch,
  // Links between pages that can show the past keep the time.
  search: { middlewares: [retainSearchParams(['at'])] },
  staticData: { showsPast: true },
  component: lazyPage(() => import('../pages/device/device-page'), 'DevicePage'),
});

const changesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/changes',
  validateSearch: changesSearch,
  component: lazyPage(() => import('../pages/changes/changes-page'), 'ChangesPage'),
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
  staticData: { showsPast: true },
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

const auditsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/audits',
  component: lazyPage(() => import('../pages/audits/audits-page'), 'AuditsPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/audits/$id',
  component: lazyPage(() => import('../pages/audits/audit-page'), 'AuditPage'),
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  signedInRoute.addChildren([
    overviewRoute,
    devicesRoute,
    deviceRoute,
    inventoryListRoute,
    inventoryRoute,
    changesRoute,
    changeRoute,
    variablesRoute,
    variableRoute,
    accountRoute,
    adminRoute,
    auditsRoute,
    auditRoute,
  ]),
]);

/** The pages of the application. The URL is their state: filters, order, columns, tab and point in time. */
export const createAppRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    context: { queryClient },
    basepath: new URL(`${pagesUrl}/`).pathname,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingComponent: () => <LoadingState what="the page" />,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: () => (
      <EmptyState isPage title="No such page">
        The address is wrong, or the page was moved. Go to the <RouteLink to="/devices">devices</RouteLink>.
      </EmptyState>
    ),
  });

function PageError({ error, reset }: ErrorComponentProps) {
  return <ErrorState isPage error={error} what="the page" onRetry={reset} />;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
