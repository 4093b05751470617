/**
 * The programs of the package, which the bundle contains: see `bundle.ts`. Nothing starts the application from here. Services
 * import it later, because the process that starts workers does not need it; it is listed so that it is compiled with the rest.
 */
export const programs = {
  service: () => import('./server/serve.js'),
  application: () => import('./server/application.js'),
  admin: () => import('./admin/program.js'),
};

/** What the programs run. For tests, which add the migrations of a later version. */
export const migrations = () => import('./migrations/index.js');

/** For the build of the bundle. */
export const warmUp = async (): Promise<void> => (await import('./server/warm-up.js')).warmUp();
