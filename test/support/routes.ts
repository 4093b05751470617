import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { RouteAccess } from '../../src/auth/access';
import { ACCESS } from '../../src/auth/access.decorators';
import type { Service } from './service';

/** A route of the application, as its controllers declare it. */
export interface DeclaredRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With parameters as `:id`. */
  readonly path: string;
  /** Undefined for a route that declares nothing. */
  readonly access: RouteAccess | undefined;
}

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** Every route that the router serves, as `GET /v1/hosts/:id`, whoever has put it there. */
export function servedRoutes(app: Service): string[] {
  const adapter: { getInstance(): unknown } = app.nest.getHttpAdapter();
  const { router } = adapter.getInstance() as { router: { stack: readonly Layer[] } };
  return router.stack.flatMap(({ route }) => {
    // What is there for every method is middleware.
    if (!route || 'propfind' in route.methods) return [];
    return Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path}`);
  });
}

/** Every route of every controller, with what it asks of its caller. */
export function declaredRoutes(app: Service): DeclaredRoute[] {
  const scanner = new MetadataScanner();
  const controllers = [...app.nest.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype as Type),
  );
  return controllers.flatMap((controller) => {
    const prototype = controller.prototype as Record<string, object>;
    return scanner.getAllMethodNames(prototype).flatMap((name): DeclaredRoute[] => {
      const handler = prototype[name] ?? {};
      const method = metadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      if (method === undefined) return [];
      const path = [controller, handler]
        .flatMap((of) => String(metadata(PATH_METADATA, of)).split('/'))
        .filter((part) => part !== '');
      return [
        {
          method: RequestMethod[method] as DeclaredRoute['method'],
          path: `/${path.join('/')}`,
          access: (metadata(ACCESS, handler) ?? metadata(ACCESS, controller)) as RouteAccess | undefined,
        },
      ];
    });
  });
}

const metadata = (key: string, of: object): unknown => Reflect.getMetadata(key, of);

/** What a route asks of its caller, in words. */
export function accessWords(access: RouteAccess | undefined): string {
  if (!access) return 'closed';
  if (access.needs === 'nothing') return 'public';
  if (access.needs !== 'write') return access.needs;
  return `write ${access.collection}${access.orVariables ? ' or variables' : ''}`;
}
