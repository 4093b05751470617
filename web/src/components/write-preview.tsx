import { Skeleton, Stack, Text } from '@mantine/core';
import { skipToken, useInfiniteQuery } from '@tanstack/react-query';
import { memo } from 'react';
import type { components } from '@muster/api-types';
import { isStatus } from '../api/errors';
import { fileNumber } from '../api/file-number';
import { canBeProposed } from '../api/proposable';
import { PREVIEW } from '../api/query-keys';
import { send, type PlainRequest } from '../api/request';
import { ChangedObjectList } from './changed-object-list';
import { counted } from './counted';
import { ImportedResources } from './imported-resources';
import { hasLevel } from './levels';
import { importText, TableWarnings, type ImportCounts } from './import-counts';
import { Impact } from './impact';
import { PreviewContext, previewOf } from './preview-context';

/** Why a write can be proposed, but not done. */
export interface Refusal {
  /** Whether a rule of the project demands an approval. Otherwise a role is missing. */
  readonly isRule: boolean;
  readonly message: string;
}

/** A dry run. That of an import has no change, but says how many resources it would create and update. */
type DryRun = Pick<components['schemas']['Preview'], 'impact' | 'approval_required' | 'reason_rejected'> &
  Partial<Pick<components['schemas']['Preview'], 'change'>> &
  ImportCounts;

type Preview = DryRun & { readonly refusal: Refusal | undefined };

const IMPACT_PAGE = 50;

/**
 * Sends a write as a dry run, without the reason: that is checked when it is applied. If the user may only propose it, its preview is
 * that of the proposal.
 */
async function readPreview(
  request: PlainRequest,
  marker: number | undefined,
  signal: AbortSignal,
): Promise<Preview> {
  const query = { ...request.query, dry_run: true, limit: IMPACT_PAGE, marker };
  const sent = { ...request, query };
  try {
    const dryRun = (await send(sent, signal)).body as DryRun;
    const message = dryRun.approval_required?.description;
    return { ...dryRun, refusal: message === undefined ? undefined : { isRule: true, message } };
  } catch (error) {
    if (!isStatus(error, 403) || !canBeProposed(request)) throw error;
    const proposed = { ...sent, query: { ...query, propose: 'preview' } };
    const refusal = { isRule: false, message: error.message };
    return { ...((await send(proposed, signal)).body as DryRun), refusal };
  }
}

/** The preview of a write, page by page. @param request undefined until it is prepared */
export function usePreview(request: PlainRequest | undefined) {
  return useInfiniteQuery({
    queryKey: [PREVIEW, request, fileNumber(request?.body)],
    queryFn: request ? ({ pageParam, signal }) => readPreview(request, pageParam, signal) : skipToken,
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ impact }) =>
      impact.links.some(({ rel }) => rel === 'next') ? impact.items.at(-1)?.id : undefined,
    // Without a preview, Apply would be disabled and lose the focus.
    placeholderData: (previous, query) => (query?.queryKey[1] === request ? previous : undefined),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}

/** How many of the changed resources a preview shows. */
const MAX_OBJECTS = 20;

type PreviewProps = { readonly request: PlainRequest | undefined } & Pick<
  ReturnType<typeof usePreview>,
  'data' | 'isPending' | 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'
>;

/**
 * What would be written, how many devices would change, and which, from what to what. Memoized: it can be large, and does not
 * depend on the reason that is typed above it.
 */
export const WritePreview = memo(function WritePreview({
  request,
  data,
  isPending,
  hasNextPage,
  fetchNextPage,
  isFetchingNextPage,
}: PreviewProps) {
  const [first] = data?.pages ?? [];
  if (isPending) return <PreviewPlaceholder />;
  if (!data || !first) return null;
  return (
    <PreviewContext value={previewOf(first.change?.objects)}>
      {first.change && <PreviewedChange change={first.change} />}
      <ImpactSummary preview={first} />
      <TableWarnings {...first} />
      {request?.body instanceof Blob && !first.refusal && (
        <ImportedResources request={request} file={request.body} {...first} />
      )}
      <Impact
        devices={first.impact.devices}
        groups={first.impact.groups}
        groupsTotal={first.impact.groups_total}
        items={data.pages.flatMap(({ impact }) => impact.items)}
        onMore={
          hasNextPage
            ? () => {
                void fetchNextPage();
              }
            : undefined
        }
        isLoading={isFetchingNextPage}
      />
    </PreviewContext>
  );
});

function PreviewedChange({ change }: { readonly change: NonNullable<Preview['change']> }) {
  const objects = change.objects.slice(0, MAX_OBJECTS);
  const others = change.objects_total - objects.length;
  if (objects.length === 0) return null;
  return (
    <div>
      <ChangedObjectList objects={objects} />
      {others > 0 && <Text size="sm">And {counted(others, 'more resource')}.</Text>}
    </div>
  );
}

/** Whether devices may resolve another value after a write: not if it only writes users, audits, clouds and the like. */
const mayHaveImpact = ({ change, impact }: Preview): boolean =>
  impact.devices > 0 ||
  change === undefined ||
  change.objects.length === 0 ||
  change.objects.some(({ kind }) => hasLevel(kind));

function ImpactSummary({ preview }: { readonly preview: Preview }) {
  const { impact } = preview;
  if (!mayHaveImpact(preview)) return null;
  const text =
    impact.devices === 0
      ? 'No device resolves another value.'
      : `${counted(impact.devices, 'device resolves', 'devices resolve')} another value.`;
  return (
    <Text size="sm" fw={600} role="status">
      {importText(preview)}
      {text}
    </Text>
  );
}

const PreviewPlaceholder = () => (
  <Stack gap="xs" role="status">
    <Text size="sm">Computing which devices would change…</Text>
    <Skeleton h={80} />
  </Stack>
);
