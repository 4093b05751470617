import { Logger } from '@nestjs/common';
import { LeftOut, LeftOutLog } from '../../src/integrations/prometheus/left-out';
import { parseScrapeQuery } from '../../src/integrations/prometheus/scrape-query';

describe('hosts that make no sense to Prometheus', () => {
  const warnings: unknown[] = [];
  beforeEach(() => {
    warnings.length = 0;
    const silent = { log: () => undefined, error: () => undefined };
    Logger.overrideLogger({ ...silent, warn: (message: unknown) => warnings.push(message) });
  });
  afterAll(() => {
    Logger.overrideLogger(false);
  });

  function leaving(...hosts: string[]): LeftOut {
    const leftOut = new LeftOut();
    for (const host of hosts) leftOut.add(host, 'prometheus_port');
    return leftOut;
  }

  const job = parseScrapeQuery({});

  it('are told of when that changes, and not with every answer', () => {
    const log = new LeftOutLog();
    log.note('a project', job, leaving());
    expect(warnings).toEqual([]);
    for (let i = 0; i < 3; i++) log.note('a project', job, leaving('one', 'two'));
    expect(warnings).toEqual([expect.stringMatching(/a project.*2 hosts.*"one".*"prometheus_port"/)]);
    log.note('another project', job, leaving('one', 'two'));
    log.note('a project', job, leaving('two'));
    expect(warnings).toHaveLength(3);
    log.note('a project', job, leaving());
    log.note('a project', job, leaving('two'));
    expect(warnings).toHaveLength(4);
  });

  it('are told of by each job, however they take turns', () => {
    const log = new LeftOutLog();
    const jobs = [{}, { port: '9100' }, { port_variable: 'other' }, { label: 'web' }, { vars: 'a:1' }].map(
      (query) => parseScrapeQuery(query),
    );
    for (let i = 0; i < 3; i++)
      for (const [number, one] of jobs.entries())
        log.note('a project', one, leaving(`host-${String(number)}`));
    expect(warnings).toHaveLength(jobs.length);
  });
});
