import type { Service } from './service';

/** What a route asks of its caller. */
export type RouteAccess =
  | { readonly needs: 'nothing' | 'read' | 'admin' | 'root' | 'self or admin' }
  | { readonly needs: 'write'; readonly collection: string; readonly orVariables: boolean };

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With parameters as `:id`. */
  readonly path: string;
}

/** A route as its controller declares it. */
export interface DeclaredRoute extends Route {
  /** Undefined for a route that declares nothing. */
  readonly access?: RouteAccess;
}

/** The routes of a service that was started by `service-with-test-routes.cjs`, without those that only it has. */
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

/** What a route asks of its caller, in words. */
export function accessWords(access: RouteAccess | undefined): string {
  if (!access) return 'closed';
  if (access.needs === 'nothing') return 'public';
  if (access.needs !== 'write') return access.needs;
  return `write ${access.collection}${access.orVariables ? ' or variables' : ''}`;
}
