import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';

/** How the rows of a page are found. */
export type AccessPathMetric = 'order' | 'filter' | 'look ahead' | 'members';

/** What a `vars` filter begins from: see `planFilters`. */
export type FilterStart = 'nothing' | 'own' | 'inherited' | 'own and inherited';

/** In seconds: from what is kept in memory to what somebody complains of. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

// They belong to the registry of the process that they measure, which takes them: see `MetricsService`.
const registers: never[] = [];

/**
 * What is counted and timed on the inside, for whoever watches over the service. Labels have few values, and none that a
 * client has sent.
 */
@Injectable()
export class AppMetrics {
  readonly resolved = new Counter({
    name: 'muster_resolver_resources_total',
    help: 'Resources whose variables were resolved.',
    registers,
  });

  readonly levels = new Counter({
    name: 'muster_resolver_levels_total',
    help: 'Regions, cells and labels that were resolved from, by whether their document was known or had to be read.',
    labelNames: ['document'],
    registers,
  });

  readonly levelsRead = new Histogram({
    name: 'muster_resolver_duration_seconds',
    help: 'Time to have the levels of a page, or of one resource, that variables are resolved from.',
    buckets: SECONDS,
    registers,
  });

  readonly filters = new Counter({
    name: 'muster_filter_plans_total',
    help: 'Lists that were filtered by variables, by what the leading filter begins from.',
    labelNames: ['begins_from'],
    registers,
  });

  readonly filtersPlanned = new Histogram({
    name: 'muster_filter_planning_duration_seconds',
    help: 'Time to find out which levels match the filters of a list.',
    buckets: SECONDS,
    registers,
  });

  readonly pages = new Histogram({
    name: 'muster_list_page_duration_seconds',
    help: 'Time to find the rows of a page, by the way in which they are found.',
    labelNames: ['way'],
    buckets: SECONDS,
    registers,
  });

  readonly records = new Counter({
    name: 'muster_change_records_total',
    help: 'Change records that were written and committed.',
    registers,
  });

  readonly changed = new Counter({
    name: 'muster_changed_resources_total',
    help: 'Resources that committed changes have touched, by kind and what was done.',
    labelNames: ['kind', 'action'],
    registers,
  });

  readonly retries = new Counter({
    name: 'muster_transaction_retries_total',
    help: 'Transactions that were done anew because a simultaneous one was faster.',
    registers,
  });

  readonly keystoneAway = new Gauge({
    name: 'muster_keystone_away',
    help: '1 while Keystone does not vouch for tokens, else 0.',
    aggregator: 'max',
    registers,
  });

  readonly keystoneQuestions = new Counter({
    name: 'muster_keystone_questions_total',
    help: 'Tokens that Keystone was to be asked about, by what it said: valid, not valid, or nothing (away).',
    labelNames: ['outcome'],
    registers,
  });

  /** All of them. */
  readonly all = [
    this.resolved,
    this.levels,
    this.levelsRead,
    this.filters,
    this.filtersPlanned,
    this.pages,
    this.records,
    this.changed,
    this.retries,
    this.keystoneAway,
    this.keystoneQuestions,
  ] as const;
}
