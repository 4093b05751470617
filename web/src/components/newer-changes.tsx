import { Button } from '@mantine/core';
import { hashKey, useIsFetching, useQueryClient, type Query, type QueryKey } from '@tanstack/react-query';
import { readBegan } from '../api/read-again';
import { readPageAgain, useNewestChange } from '../app/live';

interface Props {
  /** The keys of the queries whose data is shown. */
  readonly queryKeys: readonly QueryKey[];
  /** Called when it is read again. */
  readonly onShow: () => void;
}

/**
 * Offers to read a list again that is older than the newest change of the project. It does not do so by itself: rows must not move
 * below a pointer, nor below cells that are being edited.
 */
export function NewerChanges({ queryKeys, onShow }: Props) {
  const queryClient = useQueryClient();
  const { data } = useNewestChange();
  const hashes = new Set(queryKeys.map((queryKey) => hashKey(queryKey)));
  const isShown = ({ queryHash }: Query): boolean => hashes.has(queryHash);
  // Rendered when they are read again.
  const isReading = useIsFetching({ predicate: isShown }) > 0;
  const isOlder =
    data !== undefined &&
    !isReading &&
    queryClient
      .getQueryCache()
      .findAll({ predicate: isShown })
      .some((query) => readBegan(query) < data.seenAt);
  return (
    // It announces what appears in it later.
    <span role="status">
      {isOlder && (
        <Button
          variant="default"
          size="compact-sm"
          title="Something was changed after this was read. What you have selected or entered stays."
          onClick={() => {
            onShow();
            void readPageAgain(queryClient);
          }}
        >
          Show newer changes
        </Button>
      )}
    </span>
  );
}
