import type { Request } from 'express';

type Methods = Readonly<Record<string, boolean>>;

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Methods };
  match(path: string): boolean;
}

/** Middleware that is registered for every method there is, such as the logger's; no endpoint is. */
const servesEverything = (methods: Methods): boolean => '_all' in methods || 'propfind' in methods;

/** The methods that the router has for the path of a request. */
export function allowedMethods(request: Request): string[] {
  const { router } = request.app as unknown as { router: { stack: readonly Layer[] } };
  const routes = router.stack.flatMap((layer) =>
    layer.route && !servesEverything(layer.route.methods) && layer.match(request.path) ? [layer.route] : [],
  );
  const methods = new Set<string>();
  for (const { path, methods: served } of routes) {
    if (routes.some((other) => hasLiteralForId(other.path, path))) continue;
    for (const [method, isServed] of Object.entries(served)) if (isServed) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

/**
 * Whether a route has a word where another one has an id: `/v1/hosts/variables` also matches `/v1/hosts/:id`, but no id
 * is a word. The key of a variable can be one: what `/variables/:key` has, `/variables/explain` has too.
 */
function hasLiteralForId(route: string, other: string): boolean {
  const words = route.split('/');
  return other.split('/').some((segment, at) => segment === ':id' && words[at] !== ':id');
}

const patterns = new Map<string, string>();

/** The pattern of the route that a request has found, as the description names it: `/v1/hosts/{id}`; `none` without one. */
export function routeOf(request: Request): string {
  const { path } = (request.route ?? {}) as { readonly path?: unknown };
  // What is registered for several paths at once is no endpoint.
  if (typeof path !== 'string') return 'none';
  let pattern = patterns.get(path);
  if (pattern === undefined) {
    pattern = path.replace(/[:*](\w+)/g, '{$1}');
    patterns.set(path, pattern);
  }
  return pattern;
}
