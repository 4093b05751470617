import type { Request } from 'express';

type Methods = Readonly<Record<string, boolean>>;

interface Layer {
  readonly route?: { readonly methods: Methods };
  match(path: string): boolean;
}

/** Middleware that is registered for every method there is, such as the logger's; no endpoint is. */
const servesEverything = (methods: Methods): boolean => '_all' in methods || 'propfind' in methods;

/** The methods that the router has for the path of a request. */
export function allowedMethods(request: Request): string[] {
  const { router } = request.app as unknown as { router: { stack: readonly Layer[] } };
  const methods = new Set<string>();
  for (const layer of router.stack) {
    if (!layer.route || servesEverything(layer.route.methods) || !layer.match(request.path)) continue;
    for (const [method, served] of Object.entries(layer.route.methods))
      if (served) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
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
