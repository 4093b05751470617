import { SkippedHosts, SkippedHostsLog } from '../../src/integrations/prometheus/skipped-hosts';
import type { ScrapeQuery } from '../../src/integrations/prometheus/scrape-query';
import { sql } from '../../src/database/sql';

describe('hosts with invalid scrape settings', () => {
  const warnings: unknown[] = [];
  const logger = { warn: (message: unknown) => warnings.push(message) };
  beforeEach(() => {
    warnings.length = 0;
  });

  function skippedHosts(...hosts: string[]): SkippedHosts {
    const skipped = new SkippedHosts();
    for (const host of hosts) skipped.add(host, 'prometheus_port');
    return skipped;
  }

  const job: ScrapeQuery = {
    selection: { filters: { filters: [], others: new Map() }, activeOnly: true },
    port: undefined,
    keys: {
      port_variable: 'prometheus_port',
      scheme_variable: 'prometheus_scheme',
      path_variable: 'prometheus_path',
      scrape_variable: 'prometheus_scrape',
    },
    labelVariables: [],
  };

  it('are logged when they change, and not with every response', () => {
    const log = new SkippedHostsLog(logger);
    log.logIfChanged('a project', job, skippedHosts());
    expect(warnings).toEqual([]);
    for (let i = 0; i < 3; i++) log.logIfChanged('a project', job, skippedHosts('one', 'two'));
    expect(warnings).toEqual([expect.stringMatching(/a project.*2 hosts.*"one".*"prometheus_port"/)]);
    log.logIfChanged('another project', job, skippedHosts('one', 'two'));
    log.logIfChanged('a project', job, skippedHosts('two'));
    expect(warnings).toHaveLength(3);
    log.logIfChanged('a project', job, skippedHosts());
    log.logIfChanged('a project', job, skippedHosts('two'));
    expect(warnings).toHaveLength(4);
  });

  it('are logged once for each job', () => {
    const log = new SkippedHostsLog(logger);
    const filteredBy = (name: string, value: string): ScrapeQuery => {
      const filter = {
        name,
        description: '',
        example: '',
        type: 'string',
        condition: () => sql`true`,
      } as const;
      return {
        ...job,
        selection: { ...job.selection, filters: { filters: [[filter, value]], others: new Map() } },
      };
    };
    const jobs = [
      job,
      { ...job, port: 9100 },
      { ...job, keys: { ...job.keys, port_variable: 'other' } },
      filteredBy('label', 'web'),
      {
        ...job,
        selection: { ...job.selection, filters: { filters: [], others: new Map([['vars', ['a:1']]]) } },
      },
    ];
    for (let i = 0; i < 3; i++)
      for (const [number, one] of jobs.entries())
        log.logIfChanged('a project', one, skippedHosts(`host-${String(number)}`));
    expect(warnings).toHaveLength(jobs.length);
  });
});
