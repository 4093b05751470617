// Starts the built service with additional test routes: routes that declare no access, and a list of all routes. See
// routes.ts.
const { Controller, Get, Inject, Post, RequestMethod } = require('@nestjs/common');
const { INTERCEPTORS_METADATA, METHOD_METADATA, PATH_METADATA } = require('@nestjs/common/constants');
const { HttpAdapterHost, MetadataScanner, ModulesContainer } = require('@nestjs/core');
const { join } = require('node:path');

const dist = join(__dirname, '../../dist/src');
const { AppModule } = require(join(dist, 'app.module.js'));
const { ACCESS, Public } = require(join(dist, 'auth/access.js'));
const { WriteInterceptor } = require(join(dist, 'writes/write.interceptor.js'));

/** Applies decorators to a method, as TypeScript would. */
const decorate = ({ prototype }, method, ...decorators) => {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, method);
  for (const decorator of decorators) decorator(prototype, method, descriptor);
};

/** A controller that declares no access. */
class UndeclaredController {
  show() {
    return { secret: true };
  }

  make() {
    return { secret: true };
  }
}
Controller('test/undeclared')(UndeclaredController);
decorate(UndeclaredController, 'show', Get());
decorate(UndeclaredController, 'make', Post());

class RoutesController {
  constructor(adapterHost, modules) {
    this.router = () => adapterHost.httpAdapter.getInstance().router;
    this.controllers = () =>
      [...modules.values()].flatMap((module) =>
        [...module.controllers.values()].map(({ metatype }) => metatype),
      );
  }

  list() {
    return { served: this.served(), declared: this.controllers().flatMap(declaredBy) };
  }

  /** Every route of the router. */
  served() {
    return this.router().stack.flatMap(({ route }) =>
      // An entry with all methods is middleware.
      !route || 'propfind' in route.methods
        ? []
        : Object.keys(route.methods).map((method) => ({ method: method.toUpperCase(), path: route.path })),
    );
  }
}
Controller('test/routes')(RoutesController);
Inject(HttpAdapterHost)(RoutesController, undefined, 0);
Inject(ModulesContainer)(RoutesController, undefined, 1);
decorate(RoutesController, 'list', Get(), Public());

/** Every route of a controller, with the access that it declares. */
function declaredBy(controller) {
  const metadata = (key, of) => Reflect.getMetadata(key, of);
  return new MetadataScanner().getAllMethodNames(controller.prototype).flatMap((name) => {
    const handler = controller.prototype[name];
    const method = metadata(METHOD_METADATA, handler);
    if (method === undefined) return [];
    const parts = [controller, handler].flatMap((of) => metadata(PATH_METADATA, of).split('/'));
    return {
      method: RequestMethod[method],
      path: `/${parts.filter((part) => part !== '').join('/')}`,
      access: metadata(ACCESS, handler) ?? metadata(ACCESS, controller),
      isPrepared: (metadata(INTERCEPTORS_METADATA, handler) ?? []).includes(WriteInterceptor),
    };
  });
}

const withOptions = AppModule.with.bind(AppModule);
AppModule.with = (options) => {
  const module = withOptions(options);
  return { ...module, controllers: [UndeclaredController, RoutesController] };
};
// Not `main.js`: that runs the bundle, which has modules of its own.
require(join(dist, 'server/serve.js')).run();
