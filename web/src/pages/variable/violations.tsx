import { Button, Center, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { components } from '@muster/api-types';
import { nextMarker, readPage } from '../../api/pages';
import { LevelLink } from '../../components/level-link';
import { ErrorState, LoadingState } from '../../components/states';
import { VariableValue } from '../../components/variable-value';
import classes from './variable-page.module.css';

const PAGE = 50;

/** The values that violate a definition, because they are older than it. */
export function Violations({ id }: { readonly id: number }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['variable-definitions', id, 'violations'],
    queryFn: ({ pageParam, signal }) =>
      readPage<components['schemas']['Violation']>(
        `/v1/variable-definitions/${id}/violations`,
        { limit: PAGE, marker: pageParam },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: nextMarker,
  });
  if (error && !data)
    return <ErrorState error={error} what="the violations" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the violations" />;
  const violations = data.pages.flatMap(({ items }) => items);
  return (
    <>
      <Text size="sm" fw={600} pt="sm">
        {violations.length === 0 && !hasNextPage ? 'All values are valid.' : 'Values that violate it:'}
      </Text>
      <ul className={classes.violations} aria-label="Violations">
        {violations.map(({ kind, id: owner, name, key, value, path, message }) => (
          <li key={`${key}/${kind}/${owner}`}>
            <LevelLink kind={kind} id={owner} name={name} />
            <VariableValue value={value} />
            <span>
              {path} {message}
            </span>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Center pt="sm">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </Center>
      )}
    </>
  );
}
