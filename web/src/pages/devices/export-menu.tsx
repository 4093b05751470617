import { Button, Stack, Text } from '@mantine/core';
import { DownloadIcon } from '@radix-ui/react-icons';
import { useMutation } from '@tanstack/react-query';
import { defaultKind, type DeviceKind } from '../../api/kinds';
import { readFile } from '../../api/request';
import type { ListFilters } from '../../components/list-search';
import { PopoverButton } from '../../components/popover-button';
import { ErrorAlert } from '../../components/states';

interface Props {
  readonly kind: DeviceKind;
  readonly filters: ListFilters;
}

/** Downloads of all devices that match the filters, in the formats of the API. */
export function ExportMenu({ kind: { kind, collection }, filters }: Props) {
  const isDefault = kind === defaultKind.kind;
  const table = { ...filters, format: 'csv' };
  const lines = { ...filters, kind };
  // As in the list, unless it is filtered by state.
  const inventory = filters.active === undefined ? { ...filters, inactive: true } : filters;
  const resolved = { 'resolved-values': true };
  return (
    <PopoverButton
      width={220}
      target={(opener) => (
        <Button {...opener} variant="default" leftSection={<DownloadIcon aria-hidden />}>
          Export
        </Button>
      )}
    >
      {() => (
        <Stack gap="xs" align="flex-start">
          <Text size="xs" c="dimmed">
            Own variables, for an import
          </Text>
          {isDefault && <Download title="CSV" path="/v1/export" query={table} file={`${collection}.csv`} />}
          <Download title="NDJSON" path="/v1/export" query={lines} file={`${collection}.ndjson`} />
          <Text size="xs" c="dimmed">
            Resolved variables
          </Text>
          {isDefault && (
            <Download
              title="CSV, resolved"
              path="/v1/export"
              query={{ ...table, ...resolved }}
              file={`${collection}-resolved.csv`}
            />
          )}
          <Download
            title="NDJSON, resolved"
            path="/v1/export"
            query={{ ...lines, ...resolved }}
            file={`${collection}-resolved.ndjson`}
          />
          {isDefault && (
            <Download
              title="Ansible inventory"
              path="/v1/ansible-inventory"
              query={inventory}
              file="inventory.json"
            />
          )}
        </Stack>
      )}
    </PopoverButton>
  );
}

interface DownloadProps {
  readonly title: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly file: string;
}

/** How long (ms) after the click a browser may begin to read the content of a file. */
const SAVED_AFTER = 60_000;

/** Not a link to the API: it could not name the project of the page, and would save an error as a file. */
function Download({ title, path, query, file }: DownloadProps) {
  const download = useMutation({
    mutationFn: () => readFile({ method: 'GET', path, query }),
    onSuccess: (content) => {
      saveFile(content, file);
    },
    gcTime: 0,
  });
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        loading={download.isPending}
        onClick={() => {
          download.mutate();
        }}
      >
        {title}
      </Button>
      {download.error && <ErrorAlert error={download.error} />}
    </>
  );
}

function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Some browsers read the content after the click.
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, SAVED_AFTER);
}
