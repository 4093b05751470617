import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPeers } from '../../support/external-programs';
import { PROJECT, startService, type OwnService } from '../../support/service';
import { ended, environmentOf, temporaryFolder } from '../../support/shell';
import { expectShown, runSteps, stepsOf } from '../../support/tour';

const page = readFileSync(join(PROJECT, 'docs/api/tour.md'), 'utf8');

describeWithPeers('docs/api/tour.md', ['bash', 'curl'], () => {
  const steps = stepsOf(page);
  /** A service with an empty database, so that ids match the page. */
  let app: OwnService;
  /** The output of each step. */
  let printed: string[];

  beforeAll(async () => {
    app = await startService();
    const env = environmentOf(app.root);
    const demo = await ended(spawn(process.execPath, [join(PROJECT, 'scripts/demo.mjs')], { env }));
    expect(demo.stderr).toBe('');
    // The tour makes a temporary file.
    printed = await runSteps(steps, { ...env, TMPDIR: temporaryFolder() });
  }, 300_000);
  afterAll(() => app.stop());

  it('has many steps, and output for each', () => {
    expect(steps.length).toBeGreaterThan(10);
    expect(printed).toHaveLength(steps.length);
  });

  it.each(
    steps.flatMap(({ commands, claimed }, i) => (claimed === undefined ? [] : { commands, claimed, i })),
  )('shows the actual output of:\n$commands', ({ claimed, i }) => {
    expectShown(printed[i], claimed);
  });
});
