// `npm run generate`: builds the service, and generates the API files of the client and of the browser application from
// its OpenAPI description. With `--check` it writes nothing, and fails if the files are outdated. With `--release` it also
// writes the description of the release, with which test/api/compatibility.spec.ts compares later ones.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { typesDescription } from './lib/client-description.mjs';
import { changeKindsOf, collectionsByKindOf, resourcesOf } from './lib/client-resources.mjs';
import { withoutTexts } from './lib/description-texts.mjs';
import { prepare } from './lib/prepare.mjs';
import { Failure, fileOf, orExplain, PROJECT } from './lib/project.mjs';

const CHECKS = process.argv.includes('--check');
const RELEASED = 'test/api/released-description.json';
const NOTE = '// Written by `npm run generate` from the description of the API. Not to be edited.\n\n';

await orExplain(async () => {
  // --check uses the existing build.
  if (!CHECKS) await prepare({ needs: 'service' });
  // Imported here, because `prepare` may have installed it.
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const description = await describeApi();
  const files = {
    'packages/api-types/src/schema.ts': astToString(await openapiTS(typesDescription(description))),
    'packages/api-types/src/resources.ts': webResources(resourcesOf(description), description),
    'packages/api-types/src/create-members.ts': createMembers(resourcesOf(description), description),
    'client/src/api/resources.ts': `import type { ResourceDescription } from './resource-description';

/** The resources of the API that are created, listed, shown, updated and deleted. */
export const resources: readonly ResourceDescription[] = ${JSON.stringify(resourcesOf(description))};

/** The kinds of resources that change records have. */
export const changeKinds: readonly string[] = ${JSON.stringify(changeKindsOf(description))};`,
  };
  if (process.argv.includes('--release')) writeFileSync(fileOf(RELEASED), releasedDescription(description));
  const stale = [];
  for (const [name, text] of Object.entries(files)) {
    const file = fileOf(name);
    const wanted = format(name, NOTE + text);
    if (existsSync(file) && readFileSync(file, 'utf8') === wanted) continue;
    stale.push(name);
    if (CHECKS) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, wanted);
  }
  if (!CHECKS) return;
  if (stale.length > 0)
    throw new Failure(
      `These files do not match the description of the API: ${stale.join(', ')}. Run: npm run generate`,
    );
});

/** The text as `npm run format` would write it to the file. */
function format(name, text) {
  const oxfmt = fileOf('node_modules/oxfmt/bin/oxfmt');
  const options = { cwd: PROJECT, input: text, encoding: 'utf8', maxBuffer: 2 ** 26 };
  return execFileSync(process.execPath, [oxfmt, `--stdin-filepath=${name}`], options);
}

/** What clients depend on, with one line for each operation and each shared part. */
function releasedDescription(description) {
  const { paths, components } = withoutTexts(description);
  const lines = (parts, line) =>
    Object.entries(parts).map(([name, part]) => `${JSON.stringify(name)}:${line(part)}`);
  const sections = lines(components, (parts) => `{\n${lines(parts, JSON.stringify).join(',\n')}}`);
  return `{"paths":{\n${lines(paths, (item) => `{\n${lines(item, JSON.stringify).join(',\n')}}`).join(',\n')}},\n"components":{${sections.join(',\n')}}}\n`;
}

/** The resources of the collections that are exported. */
function inventoryOf(resources, description) {
  const { schema } = description.paths['/v1/export'].get.parameters.find(({ name }) => name === 'kind');
  return resources.filter(({ kind }) => schema.items.enum.includes(kind));
}

/** What the browser application knows of each collection of the inventory. Constant, so that the collections are types. */
function webResources(resources, description) {
  const ofInventory = inventoryOf(resources, description);
  const shown = (wanted) =>
    ofInventory
      .filter(({ isDevice }) => isDevice === wanted)
      .map(({ kind, collection, filters, fields, sortKeys, update }) => ({
        kind,
        collection,
        ...(wanted ? {} : { filters: filters.map(({ name }) => name) }),
        fields,
        sortKeys,
        // Without descriptions: every page loads this file.
        update: update.map(({ name, type, nullable, refersTo }) => ({ name, type, nullable, refersTo })),
      }));
  return `/** The collections of devices. */
export const deviceKinds = ${JSON.stringify(shown(true))} as const;

/** The collections that are exported with the devices: what devices belong to. */
export const inventoryKinds = ${JSON.stringify(shown(false))} as const;

/** The kinds of resources that change records have. */
export const changeKinds = ${JSON.stringify(changeKindsOf(description))} as const;

/** The collection of each of them, as roles name it. */
export const collectionsByKind = ${JSON.stringify(collectionsByKindOf(description))} as const;`;
}

/** The members of new resources, with their descriptions. A file of its own: only the forms that create resources load it. */
function createMembers(resources, description) {
  return `/** A member that a request to create a resource can set. */
export interface CreateMember {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly required?: true;
  readonly nullable?: true;
  /** The kind whose id it contains; \`device\` for any kind of device. */
  readonly refersTo?: string;
}

/** The members of new resources of the inventory, by collection. */
export const createMembers: Readonly<Record<string, readonly CreateMember[]>> = ${JSON.stringify(
    Object.fromEntries(
      inventoryOf(resources, description).map(({ collection, create }) => [collection, create]),
    ),
  )};`;
}

/** The description of the built service, without starting it or a database. */
async function describeApi() {
  const built = (name) => pathToFileURL(fileOf(`dist/src/${name}.js`)).href;
  if (!existsSync(fileOf('dist/src/app.module.js')))
    throw new Failure('Muster is not built yet. Run: npm run build');
  await import('reflect-metadata');
  const { NestFactory } = await import('@nestjs/core');
  const [{ AppModule }, { readEnvironment }, { apiDescription }, { SecretBox }] = await Promise.all([
    import(built('app.module')),
    import(built('config/environment')),
    import(built('server/openapi')),
    import(built('core/secret-box')),
  ]);
  const module = AppModule.with({
    environment: readEnvironment({}),
    connection: { url: 'postgres://nowhere' },
    as: 'service',
    secrets: new SecretBox([Buffer.alloc(32)]),
  });
  return apiDescription(
    await NestFactory.create(module, { preview: true, logger: false, abortOnError: false }),
  );
}
