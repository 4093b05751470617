import { join } from 'node:path';
import { projectDir } from '../../src/database/connection/connection';
import { Program } from './program';

/** The pool size of the service and the floors: the service's default. */
const POOL_SIZE = '20';

/** A user's API key and the project. */
export interface Credentials {
  readonly project: string;
  readonly user: string;
  readonly token: string;
}

/** The headers of every request. The floors ignore them. */
export function headersOf({ project, user, token }: Credentials): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-auth-project': project,
    'x-auth-user': user,
    'x-auth-token': token,
    'x-change-reason': 'benchmark',
  };
}

/** The measured service. */
export interface ServiceUnderTest {
  /** The folder of the built Muster. */
  readonly folder: string;
  /** The folder for CPU profiles; undefined to write none. */
  readonly profiles: string | undefined;
}

/** Starts the built service on an existing database. Its log is discarded. */
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

/** The HTTP framework of a floor. */
export type FloorKind = 'http' | 'express';

/** Starts a floor on the same database. */
export function startFloor(kind: FloorKind, databaseUrl: string): Promise<Program> {
  return Program.start([join(__dirname, '../floor/server.js'), kind], {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: POOL_SIZE,
  });
}
