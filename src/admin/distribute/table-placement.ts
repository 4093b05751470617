/**
 * Where the rows of each table live on Citus. Every table that a migration makes has to be named here once; a test
 * holds this against the migrated schema.
 */
export const CITUS_TABLES = {
  /** On every node: all other tables refer to it, and it has few rows. */
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
   * On the coordinator alone. TypeORM's table, and what tells transaction ids apart: those are the coordinator's, and
   * a query that reads nothing but a local table asks no other node for its snapshot.
   */
  local: ['migrations', 'feed_restorations'],
} as const;

export const DISTRIBUTION_COLUMN = 'project_id';
