import type { Request } from 'express';

interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The methods that the router has for the path of a request. */
export function allowedMethods(request: Request): string[] {
  const { router } = request.app as unknown as { router: { stack: readonly Layer[] } };
  const methods = new Set<string>();
  for (const layer of router.stack) {
    if (!layer.route || !layer.match(request.path)) continue;
    for (const [method, served] of Object.entries(layer.route.methods))
      if (served) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}
