/**
 * The tables whose rows belong to a project, by their first column `project_id`. Referenced tables precede the tables that
 * refer to them.
 */
export const PROJECT_TABLES = [
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
  'variable_values',
  'project_settings',
  'variable_definitions',
  'audits',
  'audit_runs',
  'views',
  'own_views',
  'proposals',
  'proposal_revisions',
  'proposal_reviews',
  'proposal_comments',
  'idempotency_keys',
  'sessions',
] as const;

/** The ids of all projects with records, including deleted projects. Each costs one index lookup. */
export const RECORDED_PROJECTS = `
  WITH RECURSIVE recorded (project_id) AS (
    (SELECT project_id FROM changes ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT c.project_id FROM changes c WHERE c.project_id > recorded.project_id ORDER BY c.project_id LIMIT 1)
    FROM recorded WHERE recorded.project_id IS NOT NULL
  ) SELECT project_id FROM recorded WHERE project_id IS NOT NULL`;
