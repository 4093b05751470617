import { Button, FileInput, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import clsx from 'clsx';
import { useRef, useState } from 'react';
import { isObject } from '../../components/is-object';
import { lazyComponent } from '../../components/lazy-component';
import { Notice } from '../../components/notice';
import { PageTitle } from '../../components/page-title';
import { usePreloadedPreview } from '../../components/previewed-write';
import { useUnsaved } from '../../components/unsaved';
import { ErrorAlert, LoadingState } from '../../components/states';
import type { ColumnSummary } from '../../components/typed-text';
import { readInventory, type AnsibleInventory } from './ansible-items';
import type { CsvHead } from './csv';
import { chosenFolder, droppedFolder, isDirectory, type Folder } from './folder';
import { FileError, formatOf, isAnsible, readJson, wholeText, type ImportFormat } from './import-file';
import classes from './import-page.module.css';
import { ItemsForm } from './items-form';
import { ImportRights } from './import-rights';
import { usePastedFile } from './pasted-file';
import { ImportedFileNotice, type ImportedFile } from './imported-file';
import { ImportedContext } from './preview-import';

const CsvForm = lazyComponent(() => import('./csv-form').then(({ CsvForm: component }) => component));
const AnsibleForm = lazyComponent(() =>
  import('./ansible-form').then(({ AnsibleForm: component }) => component),
);
const NetBoxForm = lazyComponent(() =>
  import('./netbox-form').then(({ NetBoxForm: component }) => component),
);

const FORMATS: readonly { readonly value: ImportFormat; readonly label: string }[] = [
  { value: 'csv', label: 'Table (CSV)' },
  { value: 'ndjson', label: 'NDJSON' },
  { value: 'json', label: 'JSON, or ansible-inventory --list' },
  { value: 'yaml', label: 'YAML' },
];

/** A file, as far as it was read. */
type ReadFile = { readonly name: string } & (
  | {
      readonly format: 'csv';
      readonly content: Blob;
      readonly head: CsvHead;
      readonly summaries: readonly ColumnSummary[];
    }
  | { readonly format: 'ndjson'; readonly content: Blob }
  | { readonly format: 'items'; readonly items: readonly unknown[] }
  | { readonly format: 'ansible'; readonly inventory: AnsibleInventory }
  | { readonly format: 'netbox'; readonly folder: Folder; readonly number: number }
);

/** What is read: a file with the format that was chosen for it, or a folder. */
type ReadInput =
  | { readonly file: File; readonly chosen: ImportFormat | undefined }
  | { readonly folder: () => Promise<Folder>; readonly number: number };

/** @throws FileError for a folder that has nothing of NetBox */
async function readFolder(open: () => Promise<Folder>, number: number): Promise<ReadFile> {
  const folder = await open();
  if (![...folder.files.keys()].some((path) => /^dcim\/devices(\.json$|\/)/.test(path)))
    throw new FileError(
      `The folder ${folder.name} was not saved by “muster export-netbox”: it has no dcim/devices. Choose single files.`,
    );
  return { name: folder.name, format: 'netbox', folder, number };
}

/** Reads what the forms need of a file. @throws FileError */
async function readFile(file: File, chosen: ImportFormat | undefined): Promise<ReadFile> {
  const { name } = file;
  const { format = chosen, isGzip } = formatOf(name);
  const content = isGzip
    ? await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).blob()
    : file;
  switch (chosen ?? format) {
    case 'csv': {
      const { readColumns, readCsvHead } = await import('./csv-file');
      const head = await readCsvHead(content);
      return { name, format: 'csv', content, head, summaries: await readColumns(content, head) };
    }
    case 'ndjson':
      return { name, format: 'ndjson', content };
    case 'yaml': {
      const { yamlItems } = await import('./yaml-items');
      return { name, format: 'items', items: yamlItems(await wholeText(content)) };
    }
    case 'json': {
      const document = await readJson(content);
      if (isAnsible(document)) return { name, format: 'ansible', inventory: readInventory(document) };
      const items: readonly unknown[] = Array.isArray(document) ? document : [document];
      if (!items.every(isObject)) throw new FileError('The file has no list of resources.');
      return { name, format: 'items', items };
    }
    case undefined:
      throw new FileError('The name of the file does not say its format: choose it.');
  }
}

/** Imports a file: chooses it, says what its parts become, and previews the import. */
export function ImportPage() {
  const [file, setFile] = useState<File | null>(null);
  const [chosen, setChosen] = useState<ImportFormat>();
  const [isOver, setOver] = useState(false);
  const [isTooMany, setTooMany] = useState(false);
  const folderField = useRef<HTMLInputElement>(null);
  // Distinguishes folders of the same name.
  const folders = useRef(0);
  // The former file stays until another one is read.
  const [content, setContent] = useState<ReadFile>();
  const [imported, setImported] = useState<ImportedFile>();
  const reading = useMutation({
    mutationFn: (input: ReadInput) =>
      'file' in input ? readFile(input.file, input.chosen) : readFolder(input.folder, input.number),
    gcTime: 0,
  });
  // Given with each call, unlike those of the mutation: a file that another one has replaced calls neither.
  const { entering, forget } = useUnsaved();
  const whenRead = {
    onSuccess: (next: ReadFile) => {
      setContent(next);
      setImported(undefined);
      // After leaving the page, the user has to choose the file again.
      entering.onInput();
    },
    onError: () => {
      setContent(undefined);
      forget();
    },
  };
  usePreloadedPreview();
  const read = (next: File | null, format: ImportFormat | undefined) => {
    setTooMany(false);
    setFile(next);
    setChosen(format);
    if (next) reading.mutate({ file: next, chosen: format }, whenRead);
    else {
      reading.reset();
      setContent(undefined);
      forget();
    }
  };
  const readDirectory = (folder: () => Promise<Folder>) => {
    setTooMany(false);
    setFile(null);
    reading.mutate({ folder, number: ++folders.current }, whenRead);
  };
  const leave = (done?: ImportedFile) => {
    forget();
    setImported(done);
    setFile(null);
    setContent(undefined);
  };
  usePastedFile((pasted) => {
    read(pasted, undefined);
  });
  return (
    <>
      <PageTitle title="Import" />
      <Stack gap="md" maw={960}>
        {imported && <ImportedFileNotice {...imported} />}
        <ImportRights />
        <div
          className={clsx(classes.drop, isOver && classes.over)}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => {
            setOver(false);
          }}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            const { files, items } = event.dataTransfer;
            const entry = items[0]?.webkitGetAsEntry();
            if (files.length > 1) setTooMany(true);
            else if (isDirectory(entry)) readDirectory(() => droppedFolder(entry));
            else if (files.length === 1) read(files[0] ?? null, undefined);
          }}
        >
          <FileInput
            label="File"
            description="Drop it here, choose it, or paste cells of a spreadsheet with Ctrl-V: a table (CSV), YAML, NDJSON, JSON, or the output of ansible-inventory --list; also compressed (.gz)"
            placeholder="Choose a file…"
            value={file}
            onChange={(next) => {
              read(next, undefined);
            }}
          />
          <input
            ref={(field) => {
              folderField.current = field;
              if (field) field.webkitdirectory = true;
            }}
            type="file"
            hidden
            aria-label="Folder"
            onChange={({ currentTarget }) => {
              const chosenFiles = [...(currentTarget.files ?? [])];
              // The same folder can be chosen again.
              currentTarget.value = '';
              if (chosenFiles.length > 0) readDirectory(() => Promise.resolve(chosenFolder(chosenFiles)));
            }}
          />
          <Button
            variant="default"
            mt="xs"
            onClick={() => {
              folderField.current?.click();
            }}
          >
            Choose a folder of NetBox…
          </Button>
        </div>
        {file && (
          <Select
            label="Format"
            maw={320}
            data={FORMATS}
            value={chosen ?? formatOf(file.name).format ?? null}
            onChange={(value) => {
              read(file, FORMATS.find((one) => one.value === value)?.value);
            }}
          />
        )}
        {isTooMany && <Notice kind="error">Drop one file: each import is one change.</Notice>}
        {reading.isPending && <LoadingState what="the file" />}
        {reading.error && <ErrorAlert error={reading.error} />}
        {content && (
          <fieldset {...entering} className={classes.form} disabled={reading.isPending}>
            <ImportedContext value={leave}>
              <FileForm key={formOf(content)} file={content} />
            </ImportedContext>
          </fieldset>
        )}
        <Text size="sm" c="dimmed">
          Resources that exist are updated; members that the file does not have stay as they are. It is one
          change, which is previewed before anything is written. From NetBox, drop or choose the folder that{' '}
          <code>muster export-netbox</code> has saved.
        </Text>
      </Stack>
    </>
  );
}

/** A corrected file with the same columns or groups has the same form, so that nothing has to be entered again. */
function formOf(file: ReadFile): string {
  const parts =
    file.format === 'csv'
      ? file.head.names
      : file.format === 'ansible'
        ? file.inventory.groups.map(({ name }) => name)
        : file.format === 'netbox'
          ? [file.number]
          : [];
  return JSON.stringify([file.format, parts]);
}

function FileForm({ file }: { readonly file: ReadFile }) {
  switch (file.format) {
    case 'csv':
      return <CsvForm {...file} />;
    case 'ansible':
      return <AnsibleForm {...file} />;
    case 'netbox':
      return <NetBoxForm {...file} />;
    case 'items':
    case 'ndjson':
      return <ItemsForm {...file} />;
  }
}
