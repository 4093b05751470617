import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';

/** How the rows of a page are found. */
export type AccessPathMetric = 'order' | 'filter' | 'adaptive_scan' | 'members';

/** What a `vars` filter starts from: see `planFilters`. */
export type FilterStart = 'nothing' | 'own' | 'inherited' | 'own and inherited';

/** In seconds: from cache hits to very slow requests. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

// `MetricsService` registers the metrics in the registry of the process.
const registers: never[] = [];

/**
 * Metrics of the application. Labels have few values, and none that a client sends.
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
    help: 'Regions, cells and labels used to resolve variables, by whether the cache had their document (hit) or not (miss).',
    labelNames: ['result'],
    registers,
  });

  readonly levelsRead = new Histogram({
    name: 'muster_resolver_duration_seconds',
    help: 'Time to load the levels of a page, or of one resource, from which variables are resolved.',
    buckets: SECONDS,
    registers,
  });

  readonly filters = new Counter({
    name: 'muster_filter_plans_total',
    help: 'Lists filtered by variables, by what the leading filter starts from.',
    labelNames: ['starts_from'],
    registers,
  });

  readonly filtersPlanned = new Histogram({
    name: 'muster_filter_planning_duration_seconds',
    help: 'Time to find the levels that match the filters of a list.',
    buckets: SECONDS,
    registers,
  });

  readonly pages = new Histogram({
    name: 'muster_list_page_duration_seconds',
    help: 'Time to find the rows of a page, by access path.',
    labelNames: ['access_path'],
    buckets: SECONDS,
    registers,
  });

  readonly records = new Counter({
    name: 'muster_change_records_total',
    help: 'Committed change records.',
    registers,
  });

  readonly changed = new Counter({
    name: 'muster_changed_resources_total',
    help: 'Resources touched by committed changes, by kind and action.',
    labelNames: ['kind', 'action'],
    registers,
  });

  readonly retries = new Counter({
    name: 'muster_transaction_retries_total',
    help: 'Transactions retried because of a conflict with a concurrent transaction.',
    registers,
  });

  readonly keystoneUnavailable = new Gauge({
    name: 'muster_keystone_unavailable',
    help: '1 while Keystone is unavailable, else 0.',
    aggregator: 'max',
    registers,
  });

  readonly oidcUnavailable = new Gauge({
    name: 'muster_oidc_unavailable',
    help: '1 while the OpenID provider is unavailable, else 0.',
    aggregator: 'max',
    registers,
  });

  readonly keystoneValidations = new Counter({
    name: 'muster_keystone_requests_total',
    help: 'Token validations by Keystone, by outcome: valid, not valid, or Keystone unavailable.',
    labelNames: ['outcome'],
    registers,
  });

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
    this.keystoneUnavailable,
    this.oidcUnavailable,
    this.keystoneValidations,
  ] as const;
}
