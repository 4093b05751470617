import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClientGenerator, describeWithGenerator, folderOf } from '../../support/client-generators';
import { sharedService } from '../../support/service';

// Each client is generated from the description of the running service as docs/api/generated-clients.md says, compiled, and
// makes the same tour. The pins are exact; a description that needs one version of a generator is a defect.

/** Go compiles more than a hundred thousand lines if the description has changed. */
jest.setTimeout(300_000);

const app = sharedService();
const expected = readFileSync(join(folderOf('.'), 'tour.txt'), 'utf8');

/** A folder with the description of the service, as `openapi.json`, and the environment of a tour in a new project. */
async function prepare(name: string) {
  const generator = new ClientGenerator(name);
  const [{ text }, { credentials }] = await Promise.all([
    app.root.get('/openapi.json').expect(200),
    app.project(),
  ]);
  writeFileSync(join(generator.folder, 'openapi.json'), text);
  return { generator, environment: { MUSTER_URL: app.url, MUSTER_TOKEN: credentials.token } };
}

const OPTIONS_OF_JAVA = [
  'useSingleRequestParameter=true',
  'invokerPackage=muster',
  'apiPackage=muster.api',
  'modelPackage=muster.model',
].join(',');
/** What a tour does not need: documentation and tests of the client. */
const ONLY_SOURCES = ['--global-property', 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false'];

/** Java options for programs that run for seconds. */
const SHORT = '-XX:TieredStopAtLevel=1';

describeWithGenerator('python', ['requirements.txt'], () => {
  it('makes the tour', async () => {
    const { generator, environment } = await prepare('python');
    cpSync(folderOf('python'), generator.folder, { recursive: true });
    await generator.run('openapi-python-client', [
      'generate',
      ...['--path', 'openapi.json', '--config', 'config.yaml', '--meta', 'none', '--output-path', 'muster'],
      '--fail-on-warning',
    ]);
    expect(await generator.run('python', ['tour.py'], environment)).toBe(expected);
    generator.remove();
  });
});

describeWithGenerator('python-openapi-generator', ['requirements.txt'], () => {
  it('makes the tour', async () => {
    const { generator, environment } = await prepare('python-openapi-generator');
    cpSync(folderOf('python-openapi-generator'), generator.folder, { recursive: true });
    await generator.run(
      'openapi-generator-cli',
      [
        'generate',
        '-i',
        'openapi.json',
        '-g',
        'python',
        '--package-name',
        'muster',
        '-o',
        '.',
        ...ONLY_SOURCES,
      ],
      { JAVA_OPTS: SHORT },
    );
    expect(await generator.run('python', ['tour.py'], environment)).toBe(expected);
    generator.remove();
  });
});

describeWithGenerator('java', ['pom.xml'], () => {
  it('makes the tour', async () => {
    const { generator, environment } = await prepare('java');
    const jars = readdirSync(generator.installed).filter((name) => name.endsWith('.jar'));
    const [cli = ''] = jars.filter((name) => name.startsWith('openapi-generator-cli'));
    const libraries = jars.filter((name) => name !== cli).map((name) => join(generator.installed, name));
    await generator.run('java', [
      ...[SHORT, '-jar', join(generator.installed, cli), 'generate', '-i', 'openapi.json'],
      ...['-g', 'java', '--library', 'okhttp-gson', '--additional-properties', OPTIONS_OF_JAVA],
      ...['-o', 'client', ...ONLY_SOURCES],
    ]);
    await generator.run('javac', [
      ...[
        `-J${SHORT}`,
        '-encoding',
        'UTF-8',
        '-nowarn',
        '-proc:none',
        '-cp',
        libraries.join(':'),
        '-d',
        'classes',
      ],
      join(folderOf('java'), 'Tour.java'),
      ...filesBelow(join(generator.folder, 'client/src/main/java'), '.java'),
    ]);
    const classPath = ['classes', ...libraries].join(':');
    expect(await generator.run('java', [SHORT, '-cp', classPath, 'Tour'], environment)).toBe(expected);
    generator.remove();
  });
});

describeWithGenerator('go', ['go.mod', 'go.sum'], () => {
  it('makes the tour', async () => {
    const { generator, environment } = await prepare('go');
    cpSync(folderOf('go'), generator.folder, { recursive: true });
    // Offline: all modules are in Go's cache. -trimpath: what is compiled is found there from every folder.
    const offline = { GOFLAGS: '-mod=mod -trimpath -buildvcs=false', GOPROXY: 'off', GOTOOLCHAIN: 'local' };
    await generator.run('go', ['generate'], offline);
    await generator.run('go', ['build', '-o', 'run-tour', '.'], offline);
    expect(await generator.run('./run-tour', [], environment)).toBe(expected);
    generator.remove();
  });
});

describeWithGenerator('typescript', ['package.json', 'package-lock.json'], () => {
  it('makes the tour', async () => {
    const { generator, environment } = await prepare('typescript');
    cpSync(folderOf('typescript'), generator.folder, { recursive: true });
    const modules = join(generator.installed, 'node_modules');
    symlinkSync(modules, join(generator.folder, 'node_modules'));
    await generator.run(join(modules, '.bin/openapi-ts'), []);
    await generator.run(join(modules, '.bin/tsc'), []);
    expect(await generator.run('node', ['built/tour.js'], environment)).toBe(expected);
    generator.remove();
  });
});

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}
