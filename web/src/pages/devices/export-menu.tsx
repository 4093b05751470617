import { Button, Menu } from '@mantine/core';
import { DownloadIcon } from '@radix-ui/react-icons';
import { queryString, serviceUrl } from '../../api/client';
import type { ListFilters } from '../../components/list-search';

interface Props {
  readonly kind: 'host' | 'network-device';
  readonly filters: ListFilters;
}

/** Downloads of all devices that the list shows, in the formats of the API. Tables and inventories contain hosts only. */
export function ExportMenu({ kind, filters }: Props) {
  const hosts = kind === 'host';
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<DownloadIcon aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Own variables, for an import</Menu.Label>
        {hosts && (
          <Download title="CSV" path="/v1/export" query={{ ...filters, format: 'csv' }} file="hosts.csv" />
        )}
        <Download title="NDJSON" path="/v1/export" query={{ ...filters, kind }} file={`${kind}s.ndjson`} />
        <Menu.Label>Resolved variables</Menu.Label>
        {hosts && (
          <Download
            title="CSV"
            path="/v1/export"
            query={{ ...filters, format: 'csv', 'resolved-values': true }}
            file="hosts-resolved.csv"
          />
        )}
        <Download
          title="NDJSON"
          path="/v1/export"
          query={{ ...filters, kind, 'resolved-values': true }}
          file={`${kind}s-resolved.ndjson`}
        />
        {hosts && (
          <Download
            title="Ansible inventory"
            path="/v1/ansible-inventory"
            // As the list, unless it is filtered by state.
            query={filters.active === undefined ? { ...filters, inactive: true } : filters}
            file="inventory.json"
          />
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

interface DownloadProps {
  readonly title: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly file: string;
}

const Download = ({ title, path, query, file }: DownloadProps) => (
  <Menu.Item component="a" href={`${serviceUrl}${path}?${queryString(query)}`} download={file}>
    {title}
  </Menu.Item>
);
