import type { Service } from './service';

/** The access that a route requires. */
export type RouteAccess =
  | { readonly needs: 'nothing' | 'read' | 'admin' | 'root' | 'self or admin' }
  | { readonly needs: 'write'; readonly collection: string; readonly orVariables: boolean };

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path, with parameters as `:id`. */
  readonly path: string;
}

/** A route as its controller declares it. */
export interface DeclaredRoute extends Route {
  /** Undefined if the route declares no access. */
  readonly access?: RouteAccess;
  /** Whether its handler prepares a write, which an interceptor runs. */
  readonly isPrepared: boolean;
}

/** The routes of a service started by `service-with-test-routes.cjs`, without the test routes. */
export async function routesOf(
  app: Service,
): Promise<{ readonly served: Route[]; readonly declared: DeclaredRoute[] }> {
  const { served, declared } = (await app.root.get('/test/routes').expect(200)).body as {
    served: Route[];
    declared: DeclaredRoute[];
  };
  const isOwn = ({ path }: Route) => !path.startsWith('/test/');
  return { served: served.filter(isOwn), declared: declared.filter(isOwn) };
}

/** The required access as text. */
export function accessWords(access: RouteAccess | undefined): string {
  if (!access) return 'closed';
  if (access.needs === 'nothing') return 'public';
  if (access.needs !== 'write') return access.needs;
  return `write ${access.collection}${access.orVariables ? ' or variables' : ''}`;
}
