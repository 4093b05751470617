import { Button, Code, CopyButton, Group, Modal, Skeleton, Stack, Tabs, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, type components } from '@muster/api-types';
import { projectHeaders } from '../api/client';
import { isStatus } from '../api/errors';
import { send, type PlainRequest } from '../api/request';
import { sessionQuery } from '../api/session';
import { curlCommand, shellWord } from '../api/shell-commands';
import { useProjectId } from '../app/use-project';
import { counted } from './counted';
import { ImpactList } from './impact-list';
import { LIST_POSITION } from './list-position';
import { Notice } from './notice';
import { ErrorAlert } from './states';
import { ThreeWay, type Conflict } from './three-way';

/** A dry run. That of an import has no change, but says how many resources it would update. */
type Preview = Pick<components['schemas']['Preview'], 'impact'> & { readonly updated?: number };

/** A write that has not been sent. */
export interface PlannedWrite {
  /** What it does: `Set ntp_servers on web-1`. */
  readonly title: string;
  readonly request: PlainRequest;
  /** The words of the `muster` command that does the same. */
  readonly command?: readonly string[];
  /** Shown in the commands instead of a body that contains a secret. */
  readonly shownBody?: string;
  /** How the write goes on if the resource was changed meanwhile (412). */
  readonly conflict?: Conflict;
}

/** What `PreviewedWrite` needs. */
export interface WriteDialogProps {
  readonly write: PlannedWrite;
  readonly onClose: () => void;
  /** Called after the write with the body of the response, when what was read before is outdated. */
  readonly onApplied?: (body: unknown) => void;
}

const REASON = 'X-Change-Reason';
/** The first part of the keys of previews in the cache. */
const PREVIEW = 'preview';
const IMPACT_PAGE = 50;
/** How long (ms) after the last key stroke in the reason the preview is read again. */
const REASON_DELAY = 400;
/** Longer requests are not shown as commands. */
const MAX_COMMAND_LENGTH = 20_000;

/** Header values are Latin-1: the service reads the bytes as UTF-8. */
const headerValue = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');

const withReason = (request: PlainRequest, reason: string): PlainRequest =>
  reason.trim() === ''
    ? request
    : { ...request, headers: { ...request.headers, [REASON]: headerValue(reason.trim()) } };

/** Not the preview: the write cannot be previewed again once it is done. Nor what is no data. */
const isRead = ({ queryKey: [first] }: { readonly queryKey: readonly unknown[] }): boolean =>
  first !== PREVIEW && first !== LIST_POSITION;

/**
 * The dialog before every write: which devices would change and how, the reason, and the commands that do the same. It
 * sends the write as a dry run first, so errors appear before anything is changed.
 */
export function WriteDialog({ write, onClose, onApplied }: WriteDialogProps) {
  const [request, setRequest] = useState(write.request);
  const [reason, setReason] = useState('');
  const [settledReason] = useDebouncedValue(reason, REASON_DELAY);
  const queryClient = useQueryClient();
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const apply = useMutation({
    mutationFn: (texts: { readonly reason: string; readonly previewed: string }) =>
      send(withReason(request, texts.reason)),
    // The response may contain a secret.
    gcTime: 0,
    // After the write, its preview would be a conflict. If it fails, something may have changed since the last preview.
    onMutate: () => queryClient.cancelQueries({ queryKey: [PREVIEW] }),
    onError: () => queryClient.refetchQueries({ queryKey: [PREVIEW], type: 'active' }),
    onSuccess: async ({ body }) => {
      // It may have been closed meanwhile, and another one opened in its place.
      if (isOpen.current) onClose();
      onApplied?.(body);
      notifications.show({ message: `Done: ${write.title}` });
      // What is not shown now would show the state before the write first, with outdated versions.
      queryClient.removeQueries({ type: 'inactive', predicate: isRead });
      await queryClient.invalidateQueries({ predicate: isRead });
    },
  });

  const previewedReason = apply.isPending ? apply.variables.previewed : settledReason;
  const preview = usePreview(request, previewedReason);
  const error = apply.error ?? preview.error;
  const reasonError = error instanceof ApiError ? error.detail(REASON) : undefined;
  // For a session that has ended, the frame asks to sign in again.
  const hasMessage = error !== null && !isStatus(error, 401);
  const isConflict = isStatus(error, 412) && write.conflict !== undefined;
  const [first] = preview.data?.pages ?? [];
  return (
    <Modal opened onClose={onClose} title={write.title} size="xl" centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (first && !apply.isPending) apply.mutate({ reason, previewed: settledReason });
        }}
      >
        <Stack gap="md">
          <Textarea
            label="Reason"
            description="Stored with the change, and shown wherever the value is."
            autosize
            minRows={1}
            maxRows={4}
            maxLength={2_000}
            data-autofocus
            value={reason}
            readOnly={apply.isPending || isConflict}
            error={reason.trim() !== '' && reasonError !== undefined}
            onChange={(event) => {
              setReason(event.currentTarget.value);
              apply.reset();
            }}
          />
          {isConflict ? (
            <ThreeWay
              conflict={write.conflict}
              onReplace={(next) => {
                apply.reset();
                setRequest(next);
              }}
              onKeep={onClose}
            />
          ) : (
            reasonError === undefined && hasMessage && <ErrorAlert error={error} />
          )}
          {reasonError !== undefined && (
            <Notice kind="info">
              The preview needs a reason that the project accepts: {reasonError}. Enter it above.
            </Notice>
          )}
          {preview.isPending && <PreviewPlaceholder />}
          {first && <ImpactSummary preview={first} />}
          {first && first.impact.devices > 0 && (
            <ImpactList
              items={preview.data?.pages.flatMap(({ impact }) => impact.items) ?? []}
              onMore={
                preview.hasNextPage
                  ? () => {
                      void preview.fetchNextPage();
                    }
                  : undefined
              }
              isLoading={preview.isFetchingNextPage}
            />
          )}
          {(request.body ?? '').length <= MAX_COMMAND_LENGTH && (
            <Commands write={write} request={withReason(request, reason)} reason={reason.trim()} />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!first || isConflict} loading={apply.isPending}>
              Apply
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function usePreview(request: PlainRequest, reason: string) {
  return useInfiniteQuery({
    queryKey: [PREVIEW, request, reason],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...request.query, dry_run: true, limit: IMPACT_PAGE, marker: pageParam };
      return (await send({ ...withReason(request, reason), query }, signal)).body as Preview;
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ impact }) =>
      impact.links.some(({ rel }) => rel === 'next') ? impact.items.at(-1)?.id : undefined,
    // The reason does not change which devices change. Without a preview, Apply would be disabled and lose the focus.
    placeholderData: (previous, query) => (query?.queryKey[1] === request ? previous : undefined),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}

function ImpactSummary({ preview: { impact, updated } }: { readonly preview: Preview }) {
  const text =
    impact.devices === 0
      ? 'No device resolves another value.'
      : `${counted(impact.devices, 'device resolves', 'devices resolve')} another value.`;
  return (
    <Text size="sm" fw={600} role="status">
      {updated !== undefined && `${counted(updated, 'is', 'are')} changed. `}
      {text}
    </Text>
  );
}

const PreviewPlaceholder = () => (
  <Stack gap="xs" role="status" aria-label="Computing which devices would change">
    <Skeleton h={36} />
    <Skeleton h={80} />
  </Stack>
);

function Commands({
  write,
  request,
  reason,
}: {
  readonly write: PlannedWrite;
  readonly request: PlainRequest;
  readonly reason: string;
}) {
  const project = useProjectId();
  const { projects } = useSuspenseQuery(sessionQuery).data;
  // Without it, both commands work in the project of the key or of the profile.
  const named = projects.length > 1 ? project : undefined;
  const words = [
    ...(write.command ?? []),
    ...(named === undefined ? [] : ['--project', named]),
    ...(reason === '' ? [] : ['--reason', reason]),
  ];
  const muster = write.command && words.map(shellWord).join(' ');
  const { shownBody } = write;
  const shown = {
    ...request,
    ...(shownBody === undefined ? {} : { body: shownBody }),
    headers: { ...(named === undefined ? {} : projectHeaders(named)), ...request.headers },
  };
  return (
    <Tabs defaultValue={muster === undefined ? 'curl' : 'muster'} variant="outline">
      <Tabs.List aria-label="The same as a command">
        {muster !== undefined && <Tabs.Tab value="muster">muster</Tabs.Tab>}
        <Tabs.Tab value="curl">curl</Tabs.Tab>
      </Tabs.List>
      {muster !== undefined && (
        <Tabs.Panel value="muster">
          <Command text={muster} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="curl">
        <Command text={curlCommand(shown)} />
      </Tabs.Panel>
    </Tabs>
  );
}

const Command = ({ text }: { readonly text: string }) => (
  <Group gap="xs" align="flex-start" wrap="nowrap" pt="xs">
    <Code block tabIndex={0} flex={1} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {text}
    </Code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  </Group>
);
