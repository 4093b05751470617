import { mkdir } from 'node:fs/promises';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClientGenerator, describeWithGenerator, folderOf } from '../../support/client-generators';
import type { Caller } from '../../support/caller';
import { codeBlocks } from '../../support/markdown';
import { PROJECT, sharedService } from '../../support/service';

// Each client is generated from the description of the running service as docs/api/generated-clients.md says, compiled, and
// makes the same tour. The pins are exact; a description that needs one version of a generator is a defect.

/** Go compiles more than a hundred thousand lines if the description has changed. */
jest.setTimeout(300_000);

const app = sharedService();
const expected = readFileSync(join(folderOf('.'), 'tour.txt'), 'utf8');

const generators: ClientGenerator[] = [];
afterAll(() => {
  for (const generator of generators) generator.remove();
});

/** A folder with the description of the service, as `openapi.json`, and the environment of programs in a new project. */
async function prepare(name: string) {
  const generator = new ClientGenerator(name);
  generators.push(generator);
  const [{ text }, admin] = await Promise.all([app.root.get('/openapi.json').expect(200), app.project()]);
  writeFileSync(join(generator.folder, 'openapi.json'), text);
  const environment = { MUSTER_URL: app.url, MUSTER_TOKEN: admin.credentials.token };
  return { generator, admin, environment };
}

/** Creates the hosts for the programs that print a table. @returns what these print for rack-1 and 6.12 */
async function createHosts(admin: Caller): Promise<string> {
  const { id: region_id } = await admin.region({ variables: { ntp_servers: ['10.0.0.1', '10.0.0.2'] } });
  const { id: cell_id } = await admin.cell({ region_id, name: 'rack-1', variables: { kernel: '6.12' } });
  await admin.host({ region_id, cell_id, name: 'csv-1', ip_address: '10.0.1.1' });
  await admin.host({
    region_id,
    cell_id,
    name: 'csv-2',
    ip_address: '10.0.1.2',
    variables: { kernel: '6.1' },
  });
  await admin.host({ region_id, name: 'csv-3', ip_address: '10.0.1.3', variables: { kernel: '6.12' } });
  const variables = { ntp_servers: ['10.9.9.9'] };
  await admin.host({ region_id, cell_id, name: 'csv-4', ip_address: '10.0.1.4', variables });
  return 'name,ip_address,ntp_servers\ncsv-1,10.0.1.1,10.0.0.1 10.0.0.2\ncsv-4,10.0.1.4,10.9.9.9\n';
}

/** The commands that generate clients, as the pages show them. */
const GENERATE = {
  python:
    'openapi-python-client generate --path openapi.json --config config.yaml --meta none --output-path muster --fail-on-warning',
  openapiGeneratorPython:
    'openapi-generator-cli generate -i openapi.json -g python --package-name muster -o . --additional-properties lazyImports=true',
  java:
    'java -jar openapi-generator-cli.jar generate -i openapi.json -g java --library okhttp-gson -o client ' +
    '--additional-properties useSingleRequestParameter=true,invokerPackage=muster,apiPackage=muster.api,modelPackage=muster.model',
  go: 'go tool oapi-codegen -generate types,client -package muster -o muster/client.go openapi.json',
};

const words = (command: string): [string, ...string[]] => {
  const [program = '', ...args] = command.split(' ');
  return [program, ...args];
};

/** What a tour does not need: documentation and tests of the client. */
const ONLY_SOURCES = ['--global-property', 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false'];

/**
 * Options of `go build`: compiling without optimization, C and HTTP/2 takes less time, and the programs run for seconds. Without the
 * path of the folder, which is another one in each run, Go finds in its cache what it has compiled from the same description. With the
 * same options, `scripts/lib/client-generators.mjs` has compiled the generator, and the standard library.
 */
const SMALL = ['-trimpath', '-tags=nethttpomithttp2', '-gcflags=all=-N -l -dwarf=false', '-ldflags=-s -w'];

/** Java options for programs that run for seconds: the compiler, and the collector, that need the least time of the processors. */
const SHORT = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

describeWithGenerator('python', ['requirements.txt'], () => {
  it('makes the tour, and prints hosts as CSV', async () => {
    const { generator, admin, environment } = await prepare('python');
    cpSync(folderOf('python'), generator.folder, { recursive: true });
    const [program, ...args] = words(GENERATE.python);
    await generator.run(program, args);
    expect(await generator.run('python', ['tour.py'], environment)).toBe(expected);
    const table = await createHosts(admin);
    expect(await generator.run('python', ['hosts_as_csv.py', 'rack-1', '6.12'], environment)).toBe(table);
  });
});

describeWithGenerator('python-openapi-generator', ['requirements.txt'], () => {
  it('makes the tour', async () => {
    const { generator, environment } = await prepare('python-openapi-generator');
    cpSync(folderOf('python-openapi-generator'), generator.folder, { recursive: true });
    const [program, ...args] = words(GENERATE.openapiGeneratorPython);
    await generator.run(program, [...args, ...ONLY_SOURCES], { JAVA_TOOL_OPTIONS: SHORT.join(' ') });
    expect(await generator.run('python', ['tour.py'], environment)).toBe(expected);
  });
});

describeWithGenerator('java', ['pom.xml'], () => {
  it('makes the tour, and prints hosts as CSV', async () => {
    const { generator, admin, environment } = await prepare('java');
    const jars = readdirSync(generator.installed).filter((name) => name.endsWith('.jar'));
    const [cli = ''] = jars.filter((name) => name.startsWith('openapi-generator-cli'));
    const libraries = jars.filter((name) => name !== cli).map((name) => join(generator.installed, name));
    const generate = GENERATE.java.replace('openapi-generator-cli.jar', join(generator.installed, cli));
    const [java, ...args] = words(generate);
    await generator.run(java, [...SHORT, ...args, ...ONLY_SOURCES]);
    await generator.run('javac', [
      ...[
        ...SHORT.map((option) => `-J${option}`),
        '-encoding',
        'UTF-8',
        '-nowarn',
        '-proc:none',
        '-cp',
        libraries.join(':'),
        '-d',
        'classes',
      ],
      ...filesBelow(folderOf('java'), '.java'),
      ...filesBelow(join(generator.folder, 'client/src/main/java'), '.java'),
    ]);
    const classPath = ['classes', ...libraries].join(':');
    expect(await generator.run('java', [...SHORT, '-cp', classPath, 'Tour'], environment)).toBe(expected);
    const table = await createHosts(admin);
    expect(
      await generator.run('java', [...SHORT, '-cp', classPath, 'HostsAsCsv', 'rack-1', '6.12'], environment),
    ).toBe(table);
  });
});

describeWithGenerator('go', ['go.mod', 'go.sum'], () => {
  it('makes the tour, and prints hosts as CSV', async () => {
    const { generator, admin, environment } = await prepare('go');
    cpSync(folderOf('go'), generator.folder, { recursive: true });
    // Offline: all modules are in Go's cache. GOGC: the compiler and the generator use more memory, and less time of the
    // processors.
    const offline = {
      GOFLAGS: '-mod=mod -buildvcs=false',
      GOPROXY: 'off',
      GOTOOLCHAIN: 'local',
      CGO_ENABLED: '0',
      GOGC: '400',
    };
    // The program that "go tool" would compile.
    const [program, ...args] = words(GENERATE.go.replace(/^go tool /, ''));
    await mkdir(join(generator.folder, 'muster'));
    await generator.run(program, args, offline);
    const programs = ['.', './hosts-as-csv'];
    await generator.run('go', ['build', ...SMALL, '-o', 'built/', ...programs], offline);
    expect(await generator.run('built/tour', [], environment)).toBe(expected);
    const table = await createHosts(admin);
    expect(await generator.run('built/hosts-as-csv', ['rack-1', '6.12'], environment)).toBe(table);
  });
});

describeWithGenerator('typescript', ['package.json', 'package-lock.json'], () => {
  it('makes the tour, and prints hosts as CSV', async () => {
    const { generator, admin, environment } = await prepare('typescript');
    cpSync(folderOf('typescript'), generator.folder, { recursive: true });
    const modules = join(generator.installed, 'node_modules');
    symlinkSync(modules, join(generator.folder, 'node_modules'));
    // With a configuration, because the generator looks for the compiler's beside its own package.
    await generator.run(join(modules, '.bin/openapi-ts'), []);
    // TypeScript 7 checks and makes the same as the version that the page names, in a third of the time of the processors.
    await generator.run('node', [join(PROJECT, 'node_modules/typescript7/bin/tsc'), '--singleThreaded']);
    expect(await generator.run('node', ['built/tour.js'], environment)).toBe(expected);
    const table = await createHosts(admin);
    expect(await generator.run('node', ['built/hosts-as-csv.js', 'rack-1', '6.12'], environment)).toBe(table);
  });
});

describe('docs/api/client-*.md', () => {
  const page = (name: string) =>
    readFileSync(join(PROJECT, 'docs/api', name), 'utf8').replace(/ \\\n +/g, ' ');
  const pin = (file: string, pattern: RegExp) =>
    String(pattern.exec(readFileSync(join(folderOf('.'), file), 'utf8'))?.[0]);

  it.each([
    ['client-python.md', 'python', ['python/hosts_as_csv.py', 'python/tour.py']],
    ['client-go.md', 'go', ['go/hosts-as-csv/main.go', 'go/tour.go']],
    ['client-java.md', 'java', ['java/HostsAsCsv.java', 'java/Tour.java']],
    ['client-typescript.md', 'ts', ['typescript/hosts-as-csv.ts', 'typescript/tour.ts']],
    ['client-typescript.md', 'json', ['typescript/tsconfig.json']],
  ])('%s shows the programs that run: %s', (name, language, files) => {
    const shown = codeBlocks(page(name)).filter((block) => block.language === language);
    const programs = files.map((file) =>
      readFileSync(join(folderOf('.'), file), 'utf8').replace(/ \\\n +/g, ' '),
    );
    expect(shown.map(({ text }) => text.trimEnd())).toEqual(programs.map((text) => text.trimEnd()));
  });

  it('shows the commands and the versions with which the clients are generated', () => {
    const python = page('client-python.md');
    expect(python).toContain(GENERATE.python);
    expect(python).toContain(
      readFileSync(join(folderOf('python'), 'config.yaml'), 'utf8').replace(/^#.*\n/, ''),
    );
    expect(python).toContain(GENERATE.openapiGeneratorPython);
    expect(python).toContain(pin('python/requirements.txt', /^openapi-python-client==.*$/m));
    expect(python).toContain(
      pin('python-openapi-generator/requirements.txt', /^openapi-generator-cli==.*$/m),
    );
    expect(page('client-java.md')).toContain(GENERATE.java);
    expect(page('client-java.md')).toContain(
      `openapi-generator-cli:${pin('java/pom.xml', /(?<=openapi-generator-cli<\/artifactId>\s+<version>)[\d.]+/)} `,
    );
    const go = page('client-go.md');
    expect(go).toContain(GENERATE.go);
    expect(go).toContain(`@${pin('go/go.mod', /(?<=oapi-codegen\/v2 )v\S+/)}`);
    expect(go).toContain(`@${pin('go/go.mod', /(?<=oapi-codegen\/runtime )v\S+/)}`);
    expect(page('client-typescript.md')).toContain(
      `@hey-api/openapi-ts@${pin('typescript/package.json', /(?<=openapi-ts": ")[\d.]+/)} `,
    );
  });
});

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}
