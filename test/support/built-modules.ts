import { spawn } from 'node:child_process';
import { PROJECT } from './service';
import { ended } from './shell';

/**
 * Calls modules of the built program in a separate process, because Jest does not load the application.
 * @param body the body of an async function of `input`, which can `load` a module in dist by name
 * @param project the built project folder
 * @returns the function's result, serialized as JSON
 */
export async function withBuiltModules<T>(body: string, input: unknown, project = PROJECT): Promise<T> {
  const script = `
    const load = (name) => require(${JSON.stringify(`${project}/dist/`)} + name);
    (async (input) => {${body}})(JSON.parse(process.argv[1])).then((result) => {
      process.stdout.write(JSON.stringify(result ?? null));
    });`;
  const env = { PATH: process.env.PATH };
  const args = ['-e', script, JSON.stringify(input)];
  const { code, stdout, stderr } = await ended(spawn(process.execPath, args, { cwd: project, env }));
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

const DATA_SOURCE = `
  const { DataSource } = require('typeorm');
  const options = load('ormconfig').connectionOptions({ url: input.url }, { as: 'owner', waitsForLocks: true });
  const source = await new DataSource(options).initialize();`;

/**
 * Runs the pending migrations of a project, and then reverts the last ones.
 * @param count the number of migrations to revert
 * @param query is run after both
 * @returns the names that the query returned each time
 */
export const migrateAndRevert = (
  url: string,
  project: string,
  count: number,
  query: string,
): Promise<{ migrated: string[]; reverted: string[] }> =>
  withBuiltModules(
    `${DATA_SOURCE}
    const names = async () => (await source.query(input.query)).map(({ name }) => name);
    await source.runMigrations();
    const migrated = await names();
    for (let i = 0; i < input.count; i++) await source.undoLastMigration();
    const reverted = await names();
    await source.destroy();
    return { migrated, reverted };`,
    { url, count, query },
    project,
  );
