import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { parseJson } from '../api/exact-json';
import { fileNumber } from '../api/file-number';
import { readLines, type PlainRequest } from '../api/request';
import { ChangedObjectList } from './changed-object-list';
import { counted } from './counted';
import type { ImportCounts } from './import-counts';
import { NDJSON } from './import-write';
import { importedObject, type ImportedObject } from './imported-object';
import { ErrorState, LoadingState } from './states';

/** How many of the resources are shown. */
const MAX_SHOWN = 100;

/** A larger file is sent once more only if one asks for its resources. */
const MAX_BYTES = 1024 * 1024;

interface Props extends Pick<ImportCounts, 'created' | 'updated'> {
  /** The import. */
  readonly request: PlainRequest;
  readonly file: Blob;
}

/** The first resources that an import would create or change, with their members and variables. */
export function ImportedResources({ request, file, created = 0, updated = 0 }: Props) {
  const [isShown, { open }] = useDisclosure(file.size <= MAX_BYTES);
  const total = created + updated;
  const { data, error, refetch } = useQuery({
    queryKey: ['imported-resources', request, fileNumber(file)],
    queryFn: ({ signal }) => firstResources(request, signal),
    enabled: isShown && total > 0,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  if (total === 0) return null;
  if (!isShown)
    return (
      <div>
        <Button variant="default" onClick={open}>
          Show the resources…
        </Button>
      </div>
    );
  if (error) return <ErrorState error={error} what="the resources" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the resources" />;
  const others = total - data.length;
  return (
    <div>
      <ChangedObjectList objects={data} />
      {others > 0 && <Text size="sm">And {counted(others, 'more resource')}.</Text>}
    </div>
  );
}

/** Reads the results of lines until there are enough. @throws ApiError, NetworkError */
async function firstResources(request: PlainRequest, signal: AbortSignal): Promise<ImportedObject[]> {
  const objects: ImportedObject[] = [];
  const query = { ...request.query, dry_run: true, changes: true };
  const headers = { ...request.headers, Accept: NDJSON };
  for await (const line of readLines({ ...request, query, headers }, signal)) {
    const object = importedObject(parseJson(line));
    if (object) objects.push(object);
    if (objects.length === MAX_SHOWN) break;
  }
  return objects;
}
