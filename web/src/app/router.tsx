import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import * as v from 'valibot';
import { isStatus } from '../api/errors';
import { sessionQuery } from '../api/session';
import { EmptyState, ErrorState, LoadingState } from '../components/states';
import { RouteLink } from '../components/resource-link';
import { adminSearch } from '../pages/admin/admin-search';
import { deviceListSearch } from '../pages/devices/device-list-search';
import { deviceSearch } from '../pages/device/device-search';
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
  component: lazyRouteComponent(() => import('../pages/sign-in/sign-in-page'), 'SignInPage'),
});

/** The parent of all pages that need a session. */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.query({ ...sessionQuery, staleTime: 'static' });
    } catch (error) {
      if (isStatus(error, 401)) throw redirect({ to: '/sign-in', search: { return_to: location.href } });
      throw error;
    }
  },
  component: Shell,
});

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/devices', replace: true });
  },
});

const devicesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices',
  validateSearch: deviceListSearch,
  component: lazyRouteComponent(() => import('../pages/devices/device-list-page'), 'DeviceListPage'),
});

const deviceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/$collection/$id',
  validateSearch: deviceSearch,
  component: lazyRouteComponent(() => import('../pages/device/device-page'), 'DevicePage'),
});

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('../pages/account/account-page'), 'AccountPage'),
});

const adminRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin',
  validateSearch: adminSearch,
  component: lazyRouteComponent(() => import('../pages/admin/admin-page'), 'AdminPage'),
});

const auditsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/audits',
  component: lazyRouteComponent(() => import('../pages/audits/audits-page'), 'AuditsPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/audits/$id',
  component: lazyRouteComponent(() => import('../pages/audits/audit-page'), 'AuditPage'),
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  signedInRoute.addChildren([
    homeRoute,
    devicesRoute,
    deviceRoute,
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
    basepath: new URL(document.baseURI).pathname,
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
