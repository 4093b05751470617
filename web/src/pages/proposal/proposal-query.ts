import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { nextMarker } from '../../api/pages';
import {
  isUndecided,
  PROPOSALS,
  type Operation,
  type Proposal,
  type ProposalPreview,
} from '../../api/proposals';
import { jsonText } from '../../api/exact-json';
import { readAgain } from '../../api/read-again';
import { send, type PlainRequest } from '../../api/request';

const IMPACT_PAGE = 50;

/** What the proposal would do now, with pages of devices. It is computed again after every write to the proposal. */
export function useProposalPreview(proposal: Proposal) {
  const { id, version } = proposal;
  return useInfiniteQuery({
    queryKey: [PROPOSALS, id, 'preview', version],
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: IMPACT_PAGE, marker: pageParam };
      const path = `/v1/proposals/${id}/preview`;
      return (await send({ method: 'GET', path, query }, signal)).body as ProposalPreview;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ impact }) => (impact ? nextMarker(impact) : undefined),
    enabled: isUndecided(proposal),
    // A comment does not change what the proposal does.
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
}

export type PreviewQuery = ReturnType<typeof useProposalPreview>;

/** The operations of an earlier revision. */
export const revisionQuery = (id: number, revision: number) =>
  queryOptions({
    queryKey: [PROPOSALS, id, 'revisions', revision],
    queryFn: async ({ signal }) => {
      const path = `/v1/proposals/${id}/revisions/${revision}`;
      return (await send({ method: 'GET', path }, signal)).body as {
        readonly operations: readonly Operation[];
      };
    },
    // Revisions are never altered.
    staleTime: Infinity,
  });

/**
 * Writes to a proposal, and reads everything about proposals again. Nothing of the inventory changes, so there is no preview.
 * @param path what follows the path of the proposal: `/comments`
 * @param onDone not called if the component is removed before: another dialog may be open in the place of one that was closed
 */
export function useProposalWrite<Body extends object>(
  { id }: Pick<Proposal, 'id'>,
  method: 'POST' | 'PUT',
  path: string,
  onDone: (body: unknown) => void = () => undefined,
) {
  const queryClient = useQueryClient();
  const write = useMutation({
    mutationFn: async (body: Body) => {
      const request: PlainRequest = { method, path: `/v1/proposals/${id}${path}`, body: jsonText(body) };
      return (await send(request)).body;
    },
    // It is done once the page has the new version, which the next write to the proposal may need.
    onSuccess: () => readAgain(queryClient, { queryKey: [PROPOSALS] }),
    // It may have failed because somebody else was faster.
    onError: () => readAgain(queryClient, { queryKey: [PROPOSALS] }),
  });
  return {
    ...write,
    mutate: (body: Body) => {
      write.mutate(body, { onSuccess: onDone });
    },
  };
}
