import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { isStatus } from '../api/errors';
import { collectionOfKind, kindWords } from '../api/kinds';
import { nextInHeader } from '../api/pages';
import { PREVIEW } from '../api/query-keys';
import { send } from '../api/request';
import { counted } from './counted';
import { SmallTable } from './small-table';
import { ErrorState, LoadingState } from './states';
import { type Violation, VIOLATION_COLUMNS, violationKey } from './violation-columns';

/** Values that are read at once. */
const PAGE = 1_000;

/**
 * How many values would violate a definition, and where they are set, before it is written.
 * @param body the definition, as it would be created
 */
export function NewViolations({ body }: { readonly body: string }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [PREVIEW, 'new-violations', body],
    queryFn: async ({ pageParam, signal }) => {
      const request = {
        ...({ method: 'POST', path: '/v1/variable-definitions/violations', body } as const),
        query: { limit: PAGE, marker: pageParam },
      };
      const { body: violations, response } = await send(request, signal);
      return { violations: violations as readonly Violation[], next: nextInHeader(response) };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    gcTime: 0,
    // What is wrong with a schema does not change.
    retry: false,
  });
  // The preview says what is wrong with the definition.
  if (isStatus(error, 400)) return null;
  if (error && !data)
    return <ErrorState error={error} what="the violations" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the violations" />;
  const violations = data.pages.flatMap((page) => page.violations);
  return (
    <section aria-label="Violations">
      <Text size="sm" fw={600} role="status">
        {violationsText(violations, hasNextPage)}
      </Text>
      <SmallTable
        label="values that violate it"
        list={{
          rows: violations,
          isPending: false,
          error: null,
          retry: () => void refetch(),
          onMore: hasNextPage ? () => void fetchNextPage() : undefined,
          isLoadingMore: isFetchingNextPage,
        }}
        columns={VIOLATION_COLUMNS}
        keyOf={violationKey}
        empty={null}
      />
    </section>
  );
}

/** `13 existing values violate it, on 12 hosts, 1 region. They stay until they are written again.` */
function violationsText(violations: readonly Violation[], hasMore: boolean): string {
  if (violations.length === 0 && !hasMore) return 'No existing value violates it.';
  const owners = new Map<string, Set<number>>();
  for (const { kind, id } of violations) owners.set(kind, (owners.get(kind) ?? new Set()).add(id));
  const owned = [...owners].map(([kind, ids]) =>
    counted(ids.size, kindWords(kind), kindWords(collectionOfKind(kind))),
  );
  const values = counted(violations.length, 'existing value violates', 'existing values violate');
  return `${hasMore ? 'At least ' : ''}${values} it${owned.length > 0 ? `, on ${owned.join(', ')}` : ''}. They stay until they are written again.`;
}
