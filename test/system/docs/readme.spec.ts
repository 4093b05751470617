import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp } from '../embedded/processes';
import { describeWithPeers } from '../../support/external-programs';
import { codeBlocks, normal, section } from '../../support/markdown';
import { credentialsOf, PROJECT } from '../../support/service';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { expectShown, runSteps, stepsOf } from '../../support/tour';

const page = readFileSync(join(PROJECT, 'README.md'), 'utf8');

afterAll(cleanUp);

it('the README is a front page of at most 200 lines', () => {
  expect(page.split('\n').length).toBeLessThanOrEqual(201);
});

describeWithPeers("the README's five minutes", ['bash'], () => {
  const part = section(page, '## Five minutes');
  const [firstStart] = codeBlocks(part);
  const steps = stepsOf(part);
  let database: TestDatabase;
  let service: ServiceProcess;
  /** The output of each step. */
  let printed: string[];

  beforeAll(async () => {
    database = await createTestDatabase();
    service = startServiceProcess({ DATABASE_URL: database.url });
    const { project, token } = await credentialsOf(service);
    const url = await service.serving();
    // Replace the page's example values by the credentials that this service printed.
    const shown = /MUSTER_URL=(\S+)\n.*PROJECT=(\S+)\n.*\n.*TOKEN=(\S+)/.exec(steps[0]?.commands ?? '');
    if (!shown) throw new Error('the five minutes do not begin with the credentials');
    const [, shownUrl = '', shownProject = '', shownToken = ''] = shown;
    const withCredentials = (commands: string) =>
      commands.replace(shownUrl, url).replace(shownProject, project).replace(shownToken, token);
    const own = steps.map((step) => ({ ...step, commands: withCredentials(step.commands) }));
    printed = await runSteps(own, { HOME: process.env.HOME ?? '' });
  }, 300_000);

  afterAll(async () => {
    service.kill('SIGTERM');
    await service.ended;
    await database.drop();
  });

  it('show the complete output of the first start', () => {
    const shown = firstStart?.text.split('\n').slice(1, -1);
    expect(shown?.map(normal)).toEqual(service.lines.slice(0, 3).map(normal));
    expect(service.lines.filter((line) => !line.includes('"req"')).length).toBe(3);
  });

  it('have several steps, and output for each', () => {
    expect(steps.length).toBeGreaterThan(3);
    expect(printed).toHaveLength(steps.length);
  });

  it.each(
    steps.flatMap(({ commands, claimed }, i) => (claimed === undefined ? [] : { commands, claimed, i })),
  )('show the actual output of:\n$commands', ({ claimed, i }) => {
    expectShown(printed[i], claimed);
  });
});
