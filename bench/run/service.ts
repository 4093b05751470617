import { join } from 'node:path';
import { projectDir } from '../../src/database/connection/connection';
import { Program } from './program';

/** The pool of the service, and of the floors beside it: what the service takes without being told. */
const POOL_SIZE = '20';

/** Who asks: a user's API key and the project. */
export interface Credentials {
  readonly project: string;
  readonly user: string;
  readonly token: string;
}

/** The headers of every request, to the service and to the floors: these pass them over. */
export function headersOf({ project, user, token }: Credentials): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-auth-project': project,
    'x-auth-user': user,
    'x-auth-token': token,
    'x-change-reason': 'benchmark',
  };
}

/** The service that is measured. */
export interface ServiceUnderTest {
  /** The folder of the Muster, which is built. */
  readonly folder: string;
  /** Where CPU profiles of it go; none are made where this is undefined. */
  readonly profiles: string | undefined;
}

/** Starts the built service as `npm start` does, on a database that is there; its log goes to /dev/null. */
export function startService({ folder, profiles }: ServiceUnderTest, databaseUrl: string): Promise<Program> {
  const profiling =
    profiles === undefined
      ? []
      : ['--cpu-prof', '--cpu-prof-interval', '200', `--cpu-prof-dir=${join(projectDir(), profiles)}`];
  return Program.start([...profiling, join(folder, 'dist/src/main.js')], {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: POOL_SIZE,
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  });
}

/** What a floor is written with. */
export type FloorKind = 'http' | 'express';

/** Starts a floor on the same database. */
export function startFloor(kind: FloorKind, databaseUrl: string): Promise<Program> {
  return Program.start([join(__dirname, '../floor/server.js'), kind], {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: POOL_SIZE,
  });
}
