import { Anchor, Button, Popover, Stack, Text } from '@mantine/core';
import { DownloadIcon } from '@radix-ui/react-icons';
import { queryString, serviceUrl } from '../../api/client';
import type { ListFilters } from '../../components/list-search';

interface Props {
  readonly kind: 'host' | 'network-device';
  readonly filters: ListFilters;
}

/** Downloads of all devices that match the filters, in the formats of the API. Tables and inventories contain hosts only. */
export function ExportMenu({ kind, filters }: Props) {
  const hosts = kind === 'host';
  const table = { ...filters, format: 'csv' };
  const lines = { ...filters, kind };
  // As in the list, unless it is filtered by state.
  const inventory = filters.active === undefined ? { ...filters, inactive: true } : filters;
  const resolved = { 'resolved-values': true };
  return (
    <Popover position="bottom-end" trapFocus returnFocus width={220} shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<DownloadIcon aria-hidden />}>
          Export
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" align="flex-start">
          <Text size="xs" c="dimmed">
            Own variables, for an import
          </Text>
          {hosts && <Download title="CSV" path="/v1/export" query={table} file="hosts.csv" />}
          <Download title="NDJSON" path="/v1/export" query={lines} file={`${kind}s.ndjson`} />
          <Text size="xs" c="dimmed">
            Resolved variables
          </Text>
          {hosts && (
            <Download
              title="CSV, resolved"
              path="/v1/export"
              query={{ ...table, ...resolved }}
              file="hosts-resolved.csv"
            />
          )}
          <Download
            title="NDJSON, resolved"
            path="/v1/export"
            query={{ ...lines, ...resolved }}
            file={`${kind}s-resolved.ndjson`}
          />
          {hosts && (
            <Download
              title="Ansible inventory"
              path="/v1/ansible-inventory"
              query={inventory}
              file="inventory.json"
            />
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface DownloadProps {
  readonly title: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly file: string;
}

const Download = ({ title, path, query, file }: DownloadProps) => (
  <Anchor href={`${serviceUrl}${path}?${queryString(query)}`} download={file} size="sm">
    {title}
  </Anchor>
);
