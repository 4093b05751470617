import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client';

/** More than a project has. */
const MAX_DEFINITIONS = 1_000;

/** The definitions of the variables of a project. */
export const definitionsQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['variable-definitions', project_id],
    queryFn: ({ signal }) => {
      const query = { project_id, limit: MAX_DEFINITIONS };
      return unwrap(api.GET('/v1/variable-definitions', { params: { query }, signal }));
    },
  });

/** Whether a definition describes a key: `*` stands for any end. */
export const describesKey = (pattern: string, key: string): boolean =>
  pattern.endsWith('*') ? key.startsWith(pattern.slice(0, -1)) : pattern === key;
