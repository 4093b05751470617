import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings, settingNames } from '../../support/built-modules';
import { cleanUp } from '../embedded/processes';
import { PROJECT } from '../../support/service';
import { Program } from '../../support/program';
import { credentialsOf } from '../../support/service';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process';
import { codeBlocks, normal, section, tableRows } from '../../support/markdown';

const read = (name: string) => readFileSync(join(PROJECT, name), 'utf8');
const page = read('README.md');

afterAll(cleanUp);

describe("the README's tour", () => {
  const tour = codeBlocks(section(page, '## Five minutes'));
  const [firstStart] = tour;
  const commands = tour.filter(({ language }) => language === 'bash').map(({ text }) => text);
  let database: TestDatabase;
  let service: ServiceProcess;
  /** The output of each block of commands. */
  let printed: string[];

  beforeAll(async () => {
    database = await createTestDatabase();
    service = startServiceProcess({ DATABASE_URL: database.url });
    const { project, token } = await credentialsOf(service);
    const url = await service.serving();
    // Replace the page's example values by the credentials that this service printed.
    const shown = /MUSTER_URL=(\S+)\n.*PROJECT=(\S+)\n.*\n.*TOKEN=(\S+)/.exec(commands[0] ?? '');
    if (!shown) throw new Error('the tour does not begin with the credentials');
    const [, shownUrl = '', shownProject = '', shownToken = ''] = shown;
    const script = commands
      .map((block) => block.replace(shownUrl, url).replace(shownProject, project).replace(shownToken, token))
      .join("echo '~~~'\n");
    const shell = new Program(
      spawn('bash', ['-c', script], {
        cwd: PROJECT,
        env: { PATH: process.env.PATH, HOME: process.env.HOME },
      }),
    );
    await shell.ended;
    expect(shell.errorLines.filter((line) => !line.startsWith('npm warn'))).toEqual([]);
    printed = shell.lines.join('\n').split('~~~');
  }, 60_000);

  afterAll(async () => {
    service.kill('SIGTERM');
    await service.ended;
    await database.drop();
  });

  it('shows the complete output of the first start', () => {
    const shown = firstStart?.text.split('\n').slice(1, -1);
    expect(shown?.map(normal)).toEqual(service.lines.slice(0, 3).map(normal));
    expect(service.lines.filter((line) => !line.includes('"req"')).length).toBe(3);
  });

  it('has output for each command', () => {
    expect(printed).toHaveLength(commands.length);
    expect(commands.length).toBeGreaterThan(8);
  });

  const outputs = tour.flatMap((block, i) =>
    block.language === 'text' ? [{ claimed: block.text, after: tour[i - 1]?.text ?? '' }] : [],
  );
  it.each(outputs)('shows the actual output of:\n$after', ({ claimed, after }) => {
    const [beginning, ...rest] = claimed.split('\n…\n');
    const actual = normal(printed[commands.indexOf(after)] ?? 'nothing');
    if (rest.length === 0) expect(actual).toBe(normal(claimed));
    else expect(actual.slice(0, normal(beginning ?? '').length)).toBe(normal(beginning ?? ''));
  });
});

/** A setting's value as environment text. */
const textOf = (setting: unknown): string =>
  typeof setting === 'string' ? setting : JSON.stringify(setting);

describe("the README's settings", () => {
  const rows = tableRows(section(page, '## Settings'));
  const documented = rows.map(([name = '']) => name.replaceAll('`', ''));

  it('are the settings that the program reads', async () => {
    expect(documented.toSorted()).toEqual((await settingNames()).toSorted());
  });

  it("have the program's defaults", async () => {
    const defaults = Object.entries(await readSettings({}));
    const shown = rows.flatMap(([name = '', value = '']) =>
      value === '' || name === '`DATA_DIR`' ? [] : [[name.replaceAll('`', ''), value.replaceAll('`', '')]],
    );
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(defaults.map(([name, value]) => [name, textOf(value)])),
    );
  });
});

describe('links between pages', () => {
  const inFolder = (folder: string) =>
    readdirSync(join(PROJECT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name));
  const pages = ['.', 'docs', 'docs/adr'].flatMap(inFolder);
  it.each(pages)('of %s lead to existing files', (name) => {
    const links = [...read(name).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link);
    const dead = links.filter((link) => !existsSync(join(PROJECT, name, '..', link)));
    expect(dead).toEqual([]);
  });
});
