import { queryOptions } from '@tanstack/react-query';
import { type AuditedPart, readManyFailures } from '../../api/audits';
import { nextMarker } from '../../api/pages';
import { findOwnValues } from './own-remediation';

/** The failing devices that set a variable themselves, as they are now. */
export const ownValuesQuery = (id: number, part: AuditedPart, key: string) =>
  queryOptions({
    queryKey: ['audits', id, 'own-values', part, key],
    queryFn: ({ signal }) =>
      findOwnValues(key, async (marker) => {
        const page = await readManyFailures(id, part, { marker, signal });
        return { items: page.items, marker: nextMarker(page) };
      }),
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
