import type { Caller } from '../../../support/caller';
import { ProjectCopy, recipeSteps } from '../../../support/project-copy';
import { startServiceProcess } from '../../../support/service-process';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database';
import { lastingFolder } from '../../embedded/processes';

const NODE = process.execPath;
const TSC = 'node_modules/typescript7/bin/tsc';
/** Four threads check the libraries four times: twice the processor time, of which tests have none to spare. */
const ONE_THREAD = '--singleThreaded';

export const COLUMN = '## Add a column';
export const FILTER = '## Add a filter';
export const KIND = '## Add a new kind of device';
export const ROUTE = '## Add a route';

/** One copy of the project in which all recipes of CONTRIBUTING.md were followed, and its running service. */
export interface FollowedRecipes {
  readonly copy: ProjectCopy;
  readonly database: TestDatabase;
  readonly root: Caller;
  /** What `npm run check` runs, for the files that the recipes write. It runs beside the tests. */
  readonly checks: Promise<unknown>;
}

/** The commands of recipes. */
export const commandsOf = (recipes: readonly string[]): string[] =>
  recipes.flatMap(recipeSteps).flatMap(({ language, text }) => (language === 'bash' ? [text] : []));

/** The steps of recipes that write files. */
const changesOf = (recipes: readonly string[]) =>
  recipes.flatMap(recipeSteps).filter(({ language }) => language !== 'bash');

/** The files that recipes write or change. */
export const filesOf = (recipes: readonly string[]): string[] => [
  ...new Set(changesOf(recipes).map(({ file }) => file)),
];

const MIGRATIONS = 'src/migrations/index.ts';

/** The migrations that recipes add. */
export const addedMigrations = filesOf([KIND, COLUMN, FILTER]).filter(
  (file) => file.startsWith('src/migrations/') && file !== MIGRATIONS,
);

/** Follows the recipes as if one developer had made all these changes, with one build. */
export async function followRecipes(): Promise<FollowedRecipes> {
  const database = await createTestDatabase();
  const copy = new ProjectCopy(lastingFolder());
  checkTypesInBuild(copy);
  leaveUncompressed(copy);
  await copy.follow(changesOf([KIND, ROUTE, COLUMN, FILTER]));
  // The recipe for a kind shows its entry; the others describe theirs.
  for (const name of addedMigrations.filter((file) => !filesOf([KIND]).includes(file)))
    addMigration(copy, name);
  addFlag(copy);
  // All recipes end with it.
  await copy.follow(recipeSteps(KIND).filter(({ language }) => language === 'bash'));
  const [root] = await Promise.all([
    startWithExplorer(copy, database),
    copy.run(NODE, [TSC, '-b', 'client']),
  ]);
  const checks = runChecks(copy);
  // Reported by the test that awaits it.
  checks.catch(() => undefined);
  return { copy, database, root, checks };
}

/** Lets the build of the copy's service check the types, too: `npm run check` does so with another run of the compiler. */
function checkTypesInBuild(copy: ProjectCopy): void {
  const project = '-p tsconfig.build.json';
  const scripts = copy.read('package.json');
  if (!scripts.includes(project)) throw new Error(`no script in package.json has ${project}`);
  copy.write('package.json', scripts.replace(project, `--noCheck false ${project}`));
}

/** Lets the build of the explorer compress no files. That takes two seconds, and a test opens one page. */
function leaveUncompressed(copy: ProjectCopy): void {
  const config = 'web/vite.config.ts';
  const plugin = "name: 'precompress',\n    apply: ";
  copy.write(config, copy.read(config).replace(`${plugin}'build'`, `${plugin}'serve'`));
}

/** The service reads the explorer's page when it starts. */
async function startWithExplorer(copy: ProjectCopy, database: TestDatabase): Promise<Caller> {
  await copy.run('npm', ['run', '--silent', 'build:web']);
  return startServiceProcess({ DATABASE_URL: database.url }, { project: copy.folder }).root();
}

async function runChecks(copy: ProjectCopy): Promise<void> {
  // The build has checked the types of the service.
  await copy.run(NODE, [TSC, ONE_THREAD, '-p', 'web']);
  // Without the list of migrations, which this file writes.
  const written = filesOf([KIND, ROUTE, COLUMN, FILTER]).filter((file) => file !== MIGRATIONS);
  await copy.run(NODE, ['node_modules/oxfmt/bin/oxfmt', '--check', ...written]);
}

/** Adds a migration as the last entry of the list, as the recipes say. */
function addMigration(copy: ProjectCopy, file: string): void {
  const name = /export class (\w+)/.exec(copy.read(file))?.[1] ?? '';
  const module = file.replace('src/migrations/', './').replace(/\.ts$/, '');
  const text = copy
    .read(MIGRATIONS)
    .replace(/\n\n/, `\nimport { ${name} } from '${module}';\n\n`)
    .replace(/,?\s*\] as const/, `, ${name}] as const`);
  copy.write(MIGRATIONS, text);
}

/** Adds a flag with a default, which only hosts have. */
function addFlag(copy: ProjectCopy): void {
  const entity = 'src/devices/kinds/host/host.entity.ts';
  const member = "\n\n  @Flag({ default: false, example: true, description: 'Whether it is managed.' })";
  copy.write(
    entity,
    copy
      .read(entity)
      .replace('{ Text }', '{ Flag, Text }')
      .replace('serial?: string | null;', (serial) => `${serial}${member}\n  managed?: boolean;`),
  );
  const migration = filesOf([FILTER]).find((file) => file.endsWith('-serials.ts')) ?? '';
  const flag = [
    '    await runner.query(',
    `      "ALTER TABLE devices ADD COLUMN managed boolean CHECK (kind = 'host' OR managed IS NULL)",`,
    '    );',
  ].join('\n');
  copy.write(
    migration,
    copy.read(migration).replace(/.*ADD COLUMN serial.*/, (line) => `${flag}\n${line}`),
  );
}
