import { join } from 'node:path';
import { projectDir } from '../../src/shared/persistence/connection';
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

/** Starts the built service as `npm start` does, on a database that is there; its log goes to /dev/null. */
export function startService(databaseUrl: string, profiles?: string): Promise<Program> {
  const profiling =
    profiles === undefined
      ? []
      : ['--cpu-prof', '--cpu-prof-interval', '200', `--cpu-prof-dir=${join(projectDir(), profiles)}`];
  return Program.start([...profiling, join(projectDir(), 'dist/src/main.js')], {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: POOL_SIZE,
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  });
}

/** Starts a floor on the same database. */
export function startFloor(kind: 'http' | 'express', databaseUrl: string): Promise<Program> {
  return Program.start([join(__dirname, '../floor/server.js'), kind], {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: POOL_SIZE,
  });
}
