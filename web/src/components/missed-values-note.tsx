import { useQuery } from '@tanstack/react-query';
import { parseWhere } from '@muster/api-types';
import { variableValuesQuery } from '../api/variable-values';
import type { ListFilters } from './list-search';
import { typeMismatch } from './missed-values';
import { RouteLink } from './resource-link';
import { variableFiltersOf, withReplaced } from './variable-filters';

interface Props {
  readonly project_id: string;
  /** Of a list that is not empty. */
  readonly filters: ListFilters;
}

/** Says below a list which values a filter cannot find because of their type, and leads to them. It reads the most frequent values only. */
export function MissedValuesNote({ project_id, filters }: Props) {
  const conditions = variableFiltersOf(filters);
  const { data: missed } = useQuery({
    queryKey: ['missed-values', project_id, conditions],
    queryFn: async ({ client }) => {
      for (const filter of conditions) {
        const key = parseWhere(filter.text)?.key;
        const values =
          key === undefined ? undefined : await client.query(variableValuesQuery(project_id, key));
        const found = values && typeMismatch(filter, values);
        if (found) return { ...found, filter };
      }
      return null;
    },
    staleTime: 60_000,
    // The list is there without it.
    retry: false,
  });
  return (
    // It announces what appears in it later.
    <span role="status">
      {missed?.text}
      {missed?.other && (
        <>
          ; for {missed.other.types}:{' '}
          <RouteLink
            to="."
            size="xs"
            underline="always"
            search={(former) => ({
              ...former,
              ...withReplaced(filters, missed.filter, missed.other ? [missed.other.filter] : []),
            })}
          >
            <code>{missed.other.filter.text}</code>
          </RouteLink>
        </>
      )}
    </span>
  );
}
