import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createContext, useContext, useState } from 'react';
import { PreviewedWrite, type PlannedWrite } from '../../components/previewed-write';
import { ErrorAlert } from '../../components/states';
import type { ImportCounts } from '../../components/import-counts';
import { SUBMIT_SHORTCUT } from '../../components/submit-shortcut';
import type { ImportBody } from './import-file';
import type { ImportedFile } from './imported-file';

/** Called when the file was imported, or proposed (then with undefined): the form is closed. */
export const ImportedContext = createContext<(imported?: ImportedFile) => void>(() => undefined);

interface Props {
  /** Of the file. */
  readonly name: string;
  /** Makes the body of the import. @throws FileError */
  readonly bodyOf: () => ImportBody | Promise<ImportBody>;
  /** The words of the `muster` command that imports the same file, if it needs no other options. */
  readonly command?: readonly string[];
  /** What is wrong with the form. */
  readonly problem?: string | undefined;
}

/** The button that previews an import: all faults, and the devices that would change; then it is applied or proposed. */
export function PreviewImport({ name, bodyOf, command, problem }: Props) {
  const onImported = useContext(ImportedContext);
  const [write, setWrite] = useState<PlannedWrite>();
  const planning = useMutation({
    mutationFn: async () => {
      if (problem !== undefined) throw new Error(problem);
      return bodyOf();
    },
    onSuccess: ({ content, contentType, lineTitle }) => {
      setWrite({
        title: `Import ${name}`,
        request: { method: 'POST', path: '/v1/import', contentType, body: content },
        ...(command && { command }),
        ...(lineTitle && { lines: { noun: 'line', titleOf: lineTitle } }),
      });
    },
    gcTime: 0,
  });
  return (
    <>
      {planning.error && <ErrorAlert error={planning.error} />}
      <Group>
        <Button
          {...SUBMIT_SHORTCUT}
          loading={planning.isPending}
          onClick={() => {
            planning.mutate();
          }}
        >
          Preview…
        </Button>
      </Group>
      {write && (
        <PreviewedWrite
          write={write}
          onClose={() => {
            setWrite(undefined);
          }}
          onProposed={() => {
            onImported();
          }}
          onApplied={(counts, { headers }) => {
            onImported({ name, counts: counts as ImportCounts, requestId: headers.get('x-request-id') });
          }}
        />
      )}
    </>
  );
}
