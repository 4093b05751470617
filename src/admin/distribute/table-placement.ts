/**
 * The placement of all tables on Citus. A test checks that every table of the schema is listed once.
 */
export const CITUS_TABLES = {
  /** On every node, because all other tables refer to it, and it has few rows. */
  reference: ['projects'],
  /** By project, all rows of a project on one node. */
  distributed: [
    'users',
    'api_keys',
    'clouds',
    'labels',
    'regions',
    'region_labels',
    'cells',
    'cell_labels',
    'access_secrets',
    'devices',
    'device_labels',
    'changes',
    'change_objects',
    'change_impacts',
    'variable_correlations',
    'project_settings',
    'variable_definitions',
    'audits',
    'idempotency_keys',
  ],
  /**
   * On the coordinator only: TypeORM's table, and the table about transaction ids, which are the coordinator's. A query
   * that reads only a local table uses the coordinator's own snapshot.
   */
  local: ['migrations', 'feed_restorations'],
} as const;

export const DISTRIBUTION_COLUMN = 'project_id';
