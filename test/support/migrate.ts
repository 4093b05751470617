import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from './service';

/**
 * Migrates a database as an operator does. @returns what is printed
 * @throws Error with the command's standard error if it fails
 */
export async function migrate(databaseUrl: string, ownerUrl?: string): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    ...(ownerUrl === undefined ? {} : { DATABASE_OWNER_URL: ownerUrl }),
  };
  const args = [join(PROJECT, 'dist/src/cli.js'), 'migrate'];
  return (await promisify(execFile)(process.execPath, args, { env })).stdout;
}
