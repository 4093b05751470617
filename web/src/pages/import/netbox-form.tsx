import { FileInput, List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorState, LoadingState } from '../../components/states';
import type { Folder } from './folder';
import { convertNetBox } from './netbox-folder';
import { PreviewImport } from './preview-import';

interface Props {
  readonly folder: Folder;
  /** Another one for each folder that is chosen. */
  readonly number: number;
}

/** A folder of `muster export-netbox`: what it becomes, by a mapping if there is one. */
export function NetBoxForm({ folder, number }: Props) {
  const [mapping, setMapping] = useState<File | null>(null);
  const { data, error, refetch } = useQuery({
    // What the service has is read, too, so nothing is kept when the form is left.
    queryKey: ['netbox-folder', number, mapping?.name, mapping?.lastModified],
    queryFn: () => convertNetBox(folder, mapping ?? undefined),
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <>
      <FileInput
        label="Mapping"
        description="A file as muster import --from netbox --print-mapping prints it; without one, its defaults apply"
        placeholder="Choose a file…"
        accept=".yaml,.yml"
        clearable
        maw={560}
        value={mapping}
        onChange={setMapping}
      />
      {error && !data && <ErrorState error={error} what="the folder" onRetry={() => void refetch()} />}
      {!data && !error && <LoadingState what="the folder" />}
      {data && (
        <>
          <List size="sm" aria-label="What is imported">
            {data.summary.map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
          <PreviewImport
            name={folder.name}
            // Converts again: the project may have changed since the folder was chosen.
            bodyOf={async () => {
              const converted = await refetch({ throwOnError: true });
              return (converted.data ?? data).body;
            }}
            command={[
              ...['muster', 'import', '--from', 'netbox', '--files', folder.name],
              ...(mapping ? ['--mapping', mapping.name] : []),
            ]}
          />
        </>
      )}
    </>
  );
}
